"""Interventions, visible states and decisions, against brute force; run by run.py.

An intervention is done here by hand, on the ground rules; states and expected utilities are sums
over the enumerated stable models.  Nothing comes from a circuit.
"""

import math
import os

PLAIN = ("a", "b", "c", "d")
INDEXED = ("p", "q")
GROUND = PLAIN + tuple(f"{name}({i})" for name in INDEXED for i in (1, 2))


# ---- interventions -----------------------------------------------------------------------------

def pick(rng, indexed):
    return f"{rng.choice(INDEXED)}(X)" if indexed and rng.random() < 0.6 else rng.choice(PLAIN)


def rule(rng):
    """(kind, weight, heads, body); with X the body has n(X)."""
    kind = rng.choice(("one", "one", "one", "one", "choice", "either", "bounded", "coin", "coins", "none"))
    indexed = rng.random() < 0.5
    heads = []
    while len(heads) < {"one": 1, "coin": 1, "none": 0, "choice": rng.randint(1, 2)}.get(kind, 2):
        head = pick(rng, indexed)
        if head not in heads:
            heads.append(head)
    body = [rng.choice(("", "", "not ")) + pick(rng, indexed) for _ in range(rng.randint(0, 2))]
    if any("X" in x for x in heads + body):
        body.append("n(X)")
    soft = kind not in ("choice", "coin", "coins") and (rng.random() < 0.6 or kind == "none")
    return kind, f"{rng.uniform(-2, 2):.3f} : " if soft else "", heads, body


def text(one):
    kind, weight, heads, body = one
    joined = {"choice": "{" + "; ".join(heads) + "}", "either": " ; ".join(heads), "bounded": "1 {" + "; ".join(heads) + "} 1",
              "coin": "0.3 :: " + "".join(heads), "coins": " ; ".join(f"0.{k + 2} :: {h}" for k, h in enumerate(heads))}
    return f"{weight}{joined.get(kind, ''.join(heads))} :- {', '.join(body or ['#true'])}."


def instances(rules):
    for kind, weight, heads, body in rules:
        for value in ("1", "2") if any("X" in x for x in heads + body) else ("",):
            yield kind, weight, [h.replace("X", value) for h in heads], [b.replace("X", value) for b in body]


def intervene(rules, wanted):
    """The ground rules that are left, or None if a head is set in part."""
    left = []
    for kind, weight, heads, body in instances(rules):
        hit = [h in wanted for h in heads]
        if kind == "choice":
            heads = [h for h in heads if h not in wanted]
            if not heads:
                continue
        elif all(hit) and heads:
            continue
        elif any(hit):
            return None
        left.append((kind, weight, heads, body))
    return left


def write(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def check_do(ask, lpmln, folder, rng):
    rules = [rule(rng) for _ in range(rng.randint(3, 7))]
    wanted = {atom: rng.random() < 0.5 for atom in rng.sample(GROUND, rng.randint(1, 2))}
    for _, _, heads, _ in instances(rules):  # otherwise most are refused
        if any(h in wanted for h in heads) and rng.random() < 0.7:
            wanted.update({h: rng.random() < 0.5 for h in heads if h not in wanted})
    path, by_hand = os.path.join(folder, "program.lpmln"), os.path.join(folder, "by_hand.lpmln")
    lines = ["n(1..2)."] + [text(r) for r in rules]
    write(path, lines)
    do = ", ".join(atom if value else f"not {atom}" for atom, value in wanted.items())
    queries = [x for atom in GROUND for x in ("-q", atom)]
    arguments = []
    if rng.random() < 0.3:
        write(path + ".obs", [rng.choice(("", "not ")) + rng.choice(GROUND) + "."])
        arguments = ["-e", path + ".obs"]
    code, answer = ask(lpmln, "infer", path, "--do", do, *queries, *arguments)
    left = intervene(rules, wanted)
    lines = lines + [f"% --do '{do}'"]
    if left is None:  # what the grounder knows to be impossible is not refused
        return ("" if code in (0, 1, 3) else f"exit code {code}"), lines
    write(by_hand, ["n(1..2)."] + [text(r) for r in left] + [f"{a}." for a, value in wanted.items() if value])
    expected_code, expected = ask(lpmln, "infer", by_hand, *queries, *arguments, "--method", "enumerate")
    if code == 3 and expected_code != 3:
        return "refused", lines
    if code != expected_code:
        return f"exit code {code} in place of {expected_code}", lines
    if code:
        return "", lines
    for one, other in zip(answer["marginals"], expected["marginals"]):
        if one["atom"] != other["atom"] or abs(one["probability"] - other["probability"]) > 1e-9:
            return f"{one['atom']}: {one['probability']}, by hand {other['probability']}", lines
    return "", lines


# ---- visible states and decisions ----------------------------------------------------------------

ATOMS = "abcde"


def literal(rng):
    return rng.choice(("", "", "not ")) + rng.choice(ATOMS)


def program(rng, guesses):
    """`guesses` write an atom that is guessed; then soft and hard rules, choices, disjunctions, loops, copies."""
    lines = [rng.choice(guesses)(atom) for atom in ATOMS[:rng.randint(1, 3)]]
    for _ in range(rng.randint(2, 5)):
        body = ", ".join(literal(rng) for _ in range(rng.randint(1, 2)))
        head = rng.choice((rng.choice(ATOMS), rng.choice(ATOMS), rng.choice(ATOMS), "", f"{rng.choice(ATOMS)} ; {rng.choice(ATOMS)}"))
        weight = rng.choice(("", f"{rng.uniform(-2, 2):.3f} : ")) if head else rng.choice(("", "0.700 : ", "-1.1 : "))
        lines.append(f"{weight}{head} :- {body}.")
    if rng.random() < 0.5:  # components that are alike
        lines += ["n(1..2).", "0.4 : f(X) :- n(X).", "0.3 : g(X) :- f(X)."]
    return lines


def soft(rng):
    return (lambda a: f"{rng.uniform(-2, 2):.3f} : {a}.", lambda a: f"{{{a}}}.", lambda a: f"0.3 :: {a}.")


def enumerated(ask, lpmln, path, arguments=()):
    """[(ln weight, atoms)], or None."""
    code, listed = ask(lpmln, "models", path, "--method", "enumerate", "-n", "0", *arguments)
    return [(m["log_weight"], frozenset(m["atoms"])) for m in listed["models"]] if code == 0 else None


def masses(models, key):
    most, found = max(log for log, _ in models), {}
    for log, atoms in models:
        found[key(atoms)] = found.get(key(atoms), 0.0) + math.exp(log - most)
    return found


def evidence(rng, path):
    if rng.random() < 0.6:
        return []
    write(path + ".obs", [literal(rng) + "."])
    return ["-e", path + ".obs"]


def check_visible(ask, lpmln, folder, rng):
    path = os.path.join(folder, "visible.lpmln")
    while True:
        lines = program(rng, soft(rng))
        write(path, lines)
        arguments = evidence(rng, path)
        models = enumerated(ask, lpmln, path, arguments)
        if models:
            break
    names = [name for name in ("a/0", "b/0", "c/0", "d/0", "e/0", "f/1", "g/1") if rng.random() < 0.5]
    shown = lines + ["#show."] + [f"#show {name}." for name in names]
    write(path, shown)
    state = masses(models, lambda atoms: frozenset(x for x in atoms if f"{x[0]}/{int('(' in x)}" in names))
    best, total = max(state.values()), sum(state.values())
    code, answer = ask(lpmln, "map", path, "--visible", *arguments)
    if code:
        return f"exit code {code}", shown
    expected = {x for x, mass in state.items() if math.log(best / mass) < 1e-6}
    if {frozenset(m["atoms"]) for m in answer["models"]} != expected or len(answer["models"]) != len(expected):
        return f"states {[m['atoms'] for m in answer['models']]}, brute force {list(map(sorted, expected))}", shown
    if any(abs(m["probability"] - best / total) > 1e-9 for m in answer["models"]):
        return f"probability {answer['models'][0]['probability']}, brute force {best / total}", shown
    return "", shown


def expected_utilities(models, decisions, utilities):
    """By decisions: E[utility | decisions]."""
    most, mass, gain = max(log for log, _ in models), {}, {}
    for log, atoms in models:
        key = tuple(d in atoms for d in decisions)
        weight = math.exp(log - most)
        worth = sum(value for value, body in utilities if all((b.split()[-1] in atoms) != b.startswith("not ") for b in body))
        mass[key] = mass.get(key, 0.0) + weight
        gain[key] = gain.get(key, 0.0) + weight * worth
    return {key: gain[key] / mass[key] for key in mass}


def check_decide(ask, lpmln, folder, rng):
    path = os.path.join(folder, "decide.lpmln")
    while True:
        decide = lambda a: f"#decision {a}."
        lines = program(rng, (*soft(rng), decide, decide)) + ["#decision x.", "0.3 : a :- x, not b."]
        if "n(1..2)." in lines:
            lines += ["#decision y(X) : n(X).", "0.8 : g(X) :- y(X).", "-0.5 : :- y(1), x."]
        declared = [line[10:-1] for line in lines if line.startswith("#decision")]
        decisions = [x for d in declared for x in ([d] if d != "y(X) : n(X)" else [f"y({i})" for i in (1, 2)])]
        plain = [line.replace("#decision y(X) : n(X).", "{y(X)} :- n(X).") if "y(X) : n" in line else
                 f"{{{line[10:-1]}}}." if line.startswith("#decision") else line for line in lines]
        write(path, plain)
        arguments = evidence(rng, path)
        models = enumerated(ask, lpmln, path, arguments)
        if models:
            break
    utilities = [(round(rng.uniform(-5, 5), 2), [literal(rng) for _ in range(rng.randint(1, 2))]) for _ in range(rng.randint(1, 3))]
    lines += [f"#utility({value}) {', '.join(body)}." for value, body in utilities]
    if "n(1..2)." in lines:
        lines += ["#utility(X/2) g(X), not y(X) : n(X)."]
        utilities += [(i / 2, [f"g({i})", f"not y({i})"]) for i in (1, 2)]
    write(path, lines)
    worth = expected_utilities(models, decisions, utilities)
    best = max(worth.values())
    code, answer = ask(lpmln, "decide", path, *arguments)
    if code:
        return f"exit code {code}", lines
    if abs(answer["expected_utility"] - best) > 1e-9:
        return f"expected utility {answer['expected_utility']}, brute force {best}", lines
    ties = [{d["atom"]: d["value"] for d in tie} for tie in answer["ties"]]
    found = {tuple(tie[d] for d in decisions) for tie in ties}
    if any(best - worth.get(key, -math.inf) > 1e-8 for key in found) or len(found) != len(ties):
        return "a decision that is worth less", lines
    if {key for key, value in worth.items() if best - value < 1e-10} - found:
        return "a tie is missing", lines
    if answer["decisions"] != answer["ties"][0]:
        return "the first tie", lines
    return "", lines


CHECKS = (check_do, check_visible, check_decide)
