"""Cuts a program down while it still shows a fault."""

import time
from dataclasses import replace

from syntax import Aggregate, Braces, binders_of, bound_by, rule_variables


def without(items):
    for i in range(len(items)):
        yield items[:i] + items[i + 1:]


def smaller_items(item):
    """An aggregate with fewer elements."""
    if isinstance(item, Aggregate):
        for elements in without(item.elements):
            yield replace(item, elements=elements)
        if len(item.guards) > 1:
            yield replace(item, guards=item.guards[:1])
    if isinstance(item, Braces):
        for literals in without(item.literals):
            yield replace(item, literals=literals)


def smaller_bodies(body):
    yield from without(body)
    for i, item in enumerate(body):
        for cut in smaller_items(item):
            yield body[:i] + (cut,) + body[i + 1:]


def smaller_rules(rule):
    for body in smaller_bodies(rule.body):
        if body or rule.head:
            yield replace(rule, body=body)
    if len(rule.head) > 1:
        for head in without(rule.head):
            yield replace(rule, head=head)
    bare = replace(rule, binders=())
    for binders in without(rule.binders):
        if rule_variables(bare) & bound_by(rule.binders) <= bound_by(binders):
            yield replace(rule, binders=binders)
    if rule.bounds != (None, None):
        yield replace(rule, bounds=(None, None))
    if rule.weight:
        yield replace(rule, weight=None)
    if rule.alpha:
        yield replace(rule, alpha=False)


def without_domain(program, domain):
    """A #domain goes by being written out in the rules."""
    def spell(rules):
        return tuple(replace(rule, binders=rule.binders + (domain,))
                     if domain in binders_of(rule, (domain,))[len(rule.binders):]
                     and domain not in rule.binders else rule for rule in rules)
    return replace(program, domains=tuple(d for d in program.domains if d != domain),
                   rules=spell(program.rules), evidence=spell(program.evidence))


def smaller_programs(program):
    """The boldest cuts first."""
    for part in ("rules", "evidence", "facts"):
        for items in without(getattr(program, part)):
            yield replace(program, **{part: items})
    for domain in program.domains:
        yield without_domain(program, domain)
    # Evidence written as literals has exactly one in each body.
    for part in ("rules",) if program.as_literals else ("rules", "evidence"):
        items = getattr(program, part)
        for i, rule in enumerate(items):
            for cut in smaller_rules(rule):
                yield replace(program, **{part: items[:i] + (cut,) + items[i + 1:]})


def shrink(program, still_fails, seconds=60):
    """Greedy: takes the first cut that still fails, until none does."""
    deadline = time.monotonic() + seconds
    found = program
    while found and time.monotonic() < deadline:
        program, found = found, None
        for smaller in smaller_programs(program):
            if time.monotonic() > deadline:
                break
            if still_fails(smaller):
                found = smaller
                break
    return found or program
