#!/usr/bin/env python3
"""Runs the programs of a ProbLog checkout that state their outcome, and says which
of them lpmln answers alike: `tests/problog/public.py CHECKOUT [--lpmln build/lpmln]`.

The programs are read where they are and are no part of this project."""
import argparse
import json
import os
import re
import subprocess
import sys

NUMBER = r'[-+0-9.eE]+'


def expected(text):
    """The outcome block: [(atom, probability)], or the name of an error."""
    outcome, inside = [], False
    for line in text.splitlines():
        if re.match(r'\s*%\s*Expected outcome:', line, re.I):
            inside = True
        elif inside and line.strip().startswith('%'):
            line = line.strip()[1:].strip()
            if line.startswith('ERROR'):
                return line.split()[-1]
            parts = line.rsplit(None, 1)
            if len(parts) == 2 and re.fullmatch(NUMBER, parts[1]):
                outcome.append((re.sub(r'\s', '', parts[0]), float(parts[1])))
        elif inside and line.strip():
            inside = False
    for atom, value in re.findall(r'query\((.*)\)\.\s*%\s*outcome:\s*(' + NUMBER + ')', text):
        outcome.append((re.sub(r'\s', '', atom), float(value)))
    return outcome


def run(lpmln, arguments):
    return subprocess.run([lpmln, *arguments], capture_output=True, text=True, timeout=60)


def reason_of(done):
    for line in done.stderr.splitlines():
        if 'error:' in line:
            return line.split('error:', 1)[1].strip()
    return done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f'exit code {done.returncode}'


def compare(outcome, answer):
    got = {re.sub(r'\s', '', m['atom']): m['probability'] for m in answer['marginals']}
    for atom, value in outcome:
        if abs(got.get(atom, 0.0) - value) > 1e-6:
            return f'{atom}: expected {value}, got {got.get(atom)}'
    for atom, value in got.items():
        if value > 1e-9 and atom not in dict(outcome):
            return f'{atom} {value} is not expected'
    return None


def inference(lpmln, path, text):
    """'' if the outcome is the expected one, else the reason."""
    outcome = expected(text)
    done = run(lpmln, ['infer', '--from', 'problog', '--format', 'json', '--time-limit', '20', path])
    if isinstance(outcome, str):
        return '' if done.returncode in (1, 3) else f'{outcome} expected'
    if done.returncode:
        return reason_of(done)
    return compare(outcome, json.loads(done.stdout)) or ''


def expected_program(text):
    lines, inside = [], False
    for line in text.splitlines():
        if re.match(r'\s*%\s*Expected outcome:', line, re.I):
            inside = True
        elif inside and line.startswith('%'):
            lines.append(line[1:].strip())
        elif inside:
            break
    return '\n'.join(line for line in lines if line).replace('<RAND>', '0.5') + '\n'


def likelihood(lpmln, program, examples, folder):
    """Log-likelihood of examples under a program without parameters."""
    import math
    path = os.path.join(folder, 'expected.problog')
    with open(path, 'w') as f:
        f.write(program)
    total = 0.0
    for block in re.split(r'(?m)^---.*$', examples):
        if not block.strip():
            continue
        with open(os.path.join(folder, 'block.ev'), 'w') as f:
            f.write(block)
        done = run(lpmln, ['infer', '--format', 'json', '--quiet', path, '-e', os.path.join(folder, 'block.ev')])
        if done.returncode == 1:
            return -math.inf
        if done.returncode:
            return None
        total += json.loads(done.stdout)['log_evidence']
    return total


def learning(lpmln, path, text, folder):
    examples = path[:-3] + '.ev'
    with open(examples) as f:
        data = f.read()
    done = run(lpmln, ['learn', '--from', 'problog', '--format', 'json', '--noisy', 'drop', '--time-limit', '30',
                       path, '-e', examples])
    if done.returncode:
        return reason_of(done)
    answer = json.loads(done.stdout)
    reached = max(answer['log_likelihood'], answer['supremum'])
    goal = likelihood(lpmln, expected_program(text), data, folder)
    if goal is None:
        return 'the expected program is not read'
    if answer['dropped']:
        return '' if goal == float('-inf') else 'impossible examples'
    if reached < goal - 1e-6 * max(1, abs(goal)):
        return f'log-likelihood {reached:.6f}, expected {goal:.6f}'
    return ''


def cases(checkout):
    for folder in ('', 'bn', 'constraints', 'specific', 'lfi/ad', 'lfi/misc', 'lfi/simple', 'lfi/vars_in_tunable'):
        where = os.path.join(checkout, 'test', folder)
        for name in sorted(os.listdir(where)):
            path = os.path.join(where, name)
            if name.endswith('.pl'):
                with open(path, errors='replace') as f:
                    text = f.read()
                if re.search('expected outcome', text, re.I):
                    yield os.path.join(folder, name), path, text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('checkout')
    parser.add_argument('--lpmln', default='build/lpmln')
    parser.add_argument('--least', type=int, default=0)
    parser.add_argument('--only', default='')
    options = parser.parse_args()
    import tempfile
    good = bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, path, text in cases(options.checkout):
            if options.only not in name:
                continue
            try:
                reason = (learning(options.lpmln, path, text, folder) if name.startswith('lfi/')
                          else inference(options.lpmln, path, text))
            except subprocess.TimeoutExpired:
                reason = 'takes too long'
            good, bad = good + (not reason), bad + bool(reason)
            print(f'{name:40} {reason or "as expected"}')
    print(f'{good} of {good + bad} as expected')
    return 0 if good >= options.least else 1


if __name__ == '__main__':
    sys.exit(main())
