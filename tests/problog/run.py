#!/usr/bin/env python3
"""Random programs both ways against real ProbLog, where it is installed, and against
the evaluator of evaluate.py: probabilities agree to 1e-9.

  in:    ProbLog programs, `lpmln infer` against the two
  out:   LPMLN programs, their translation evaluated by the two against `lpmln infer`
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import closing  # noqa: E402
import evaluate  # noqa: E402
import peers  # noqa: E402
from generate import Learning, Lpmln, Problog  # noqa: E402

TOLERANCE = 1e-9
MISSING = "ProbLog can't be installed here"
TOO_LARGE = 'too large for the evaluator'
HERE = os.path.dirname(os.path.abspath(__file__))


def real(python, texts):
    """ProbLog's answers, one for each text; None without ProbLog."""
    if not python:
        return [None] * len(texts)
    half = len(texts) // 2
    started = [subprocess.Popen([python, os.path.join(HERE, 'server.py')], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) for _ in range(2)]
    parts = [texts[:half], texts[half:]]
    with ThreadPoolExecutor(2) as pool:
        outs = list(pool.map(lambda i: started[i].communicate(json.dumps(parts[i]))[0], range(2)))
    answers = [json.loads(line) for out in outs for line in out.splitlines()]
    assert len(answers) == len(texts)
    return answers


class Runner:
    def __init__(self, lpmln, folder):
        self.lpmln, self.folder = lpmln, folder
        self.tally = closing.Tally()

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, 'w') as f:
            f.write(text)
        return path

    def run(self, *arguments):
        return subprocess.run([self.lpmln, *arguments], capture_output=True, text=True, timeout=60)

    def infer(self, path, *more):
        """{atom: probability}, 'impossible', or the message."""
        done = self.run('infer', '--quiet', '--format', 'json', path, *more)
        if done.returncode == 1:
            return 'impossible'
        if done.returncode:
            return done.stderr
        return {strip(m['atom']): m['probability'] for m in json.loads(done.stdout)['marginals']}

    def judge(self, good, what, text, ours, theirs):
        self.tally.check(f'{what}\n{text}\nours:   {ours}\ntheirs: {theirs}\n', good)


def strip(atom):
    return re.sub(r'\s', '', atom)


def agree(ours, theirs):
    """Atoms that one side does not list have probability 0."""
    if isinstance(ours, str) or isinstance(theirs, str):
        return False
    theirs = {strip(a): p for a, p in theirs.items()}
    return all(abs(ours.get(a, 0) - theirs.get(a, 0)) <= TOLERANCE for a in set(ours) | set(theirs)
               if re.sub(r'^\\\+', '', a)[:1] not in '_' and not re.search(r'[(,]_?[XV]?\d*_', a))


def brute(text, most):
    try:
        return evaluate.Program(text, most).marginals() or 'InconsistentEvidenceError'
    except evaluate.TooLarge:
        return None
    except evaluate.Undefined:
        return 'NegativeCycle'


def compare(runner, what, text, ours, theirs):
    if theirs == 'InconsistentEvidenceError':
        good = ours == 'impossible'
    elif theirs == 'NegativeCycle':
        good = isinstance(ours, str) and 'own negation' in ours
    else:
        good = agree(ours, theirs)
    runner.judge(good, what, text, ours, theirs)


def check_in(runner, python, count, seed, jobs):
    rng = random.Random(seed)
    texts = [Problog(rng).make(calls=i % 4 == 3) for i in range(count)]
    paths = [runner.write(f'in{i}.problog', t) for i, t in enumerate(texts)]
    with ThreadPoolExecutor(jobs) as pool:
        ours = list(pool.map(runner.infer, paths))
    theirs = real(python, texts)
    for i, text in enumerate(texts):
        if not python:
            runner.tally.skip(MISSING)
        elif theirs[i] == 'AssertionError':
            runner.tally.skip('ProbLog trips over its contradictory evidence')
        else:
            compare(runner, 'in, ProbLog', text, ours[i], theirs[i])
        if i % 4 != 3:
            answer = brute(text, 256)
            if answer is not None:
                compare(runner, 'in, evaluator', text, ours[i], answer)
            else:
                runner.tally.skip(TOO_LARGE)
    return count + sum(i % 4 != 3 for i in range(count))


def check_out(runner, python, count, seed, jobs):
    rng = random.Random(seed)
    texts = [Lpmln(rng).make() for _ in range(count)]
    paths = [runner.write(f'out{i}.lpmln', t) for i, t in enumerate(texts)]

    def both(path):
        done = runner.run('translate', '--quiet', '--to', 'problog', path)
        return runner.infer(path), done.stdout, done.stderr

    with ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(both, paths))
    targets = []
    for ours, target, errors in results:
        atoms = ours if isinstance(ours, dict) else {}
        targets.append(target + ''.join(f'query({a.replace("st", "s t")}).\n' for a in atoms))
    theirs = real(python, targets)
    for i, (ours, target, errors) in enumerate(results):
        if errors:
            runner.judge(False, 'out, refused', texts[i], errors, '')
            continue
        if python:
            compare(runner, 'out, ProbLog', texts[i] + '\n' + targets[i], ours, theirs[i])
        else:
            runner.tally.skip(MISSING)
        answer = brute(targets[i], 4096)
        if answer is not None:
            compare(runner, 'out, evaluator', texts[i] + '\n' + targets[i], ours, answer)
        else:
            runner.tally.skip(TOO_LARGE)
    return 2 * count


def check_learn(runner, python, count, seed, jobs):
    """Log-likelihoods of `problog lfi`: never better than ours, and as good if all is seen."""
    rng, tasks, complete = random.Random(seed), [], []
    for i in range(count):
        learned, fixed = Learning(rng).make()
        program, seen = evaluate.Program(fixed, 10 ** 6), 1.0 if i % 2 else 0.7
        atoms = [a for a in program.atoms() if not a.startswith(('d(', 'e('))]
        blocks = []
        for _ in range(12):
            true = program.sample(rng)
            lines = [f'evidence({a},{"true" if a in true else "false"}).' for a in atoms if rng.random() < seen]
            blocks.append('\n'.join(lines or ['evidence(d(a),true).']) + '\n')
        tasks.append((learned, blocks))
        complete.append(seen == 1)

    def learn(i):
        path = runner.write(f'learn{i}.problog', tasks[i][0])
        data = runner.write(f'learn{i}.ev', '---\n'.join(tasks[i][1]))
        done = runner.run('learn', '--quiet', '--format', 'json', path, '-e', data)
        if done.returncode:
            return done.stderr
        answer = json.loads(done.stdout)
        return max(answer['log_likelihood'], answer['supremum'])

    with ThreadPoolExecutor(jobs) as pool:
        ours = list(pool.map(learn, range(count)))
    theirs = real(python, tasks)
    for i, (program, blocks) in enumerate(tasks):
        good = not isinstance(ours[i], str)
        if good and not isinstance(theirs[i], list):
            runner.tally.skip(f'ProbLog does not learn it: {theirs[i]}' if python else MISSING)
            continue
        if good:
            theirs[i] = evaluate.Program(theirs[i][0], 10 ** 6).likelihood(blocks)
            good = ours[i] >= theirs[i] - 1e-6 and (not complete[i] or ours[i] <= theirs[i] + 1e-6)
        runner.judge(good, 'learn', program + '---\n'.join(blocks), ours[i], theirs[i])
    return count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--lpmln', default='build/lpmln')
    parser.add_argument('--count', type=int, default=1000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--only', default='')
    options = parser.parse_args()
    python = peers.python_with('problog', 'problog pysdd', 'import problog, pysdd')
    asked = 0
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(os.path.abspath(options.lpmln), folder)
        for name, check in (('in', check_in), ('out', check_out)):
            if options.only in ('', name):
                asked += check(runner, python, options.count, options.seed, options.jobs)
        if options.only in ('', 'learn'):
            asked += check_learn(runner, python, max(options.count // 25, 1), options.seed, options.jobs)
    return runner.tally.close(asked=asked)


if __name__ == '__main__':
    sys.exit(main())
