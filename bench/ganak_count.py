"""ganak (pyganak of PyPI) on a weighted CNF of `lpmln translate --to wcnf`: prints the ln of the weighted count.
Run by the Python of build/peers/ganak."""

import math
import sys

from pyganak import WeightedCounter

weights, clauses, variables = {}, [], 0
with open(sys.argv[1]) as file:
    for line in file:
        words = line.split()
        if line.startswith("c p weight"):
            weights[int(words[3])] = float(words[4])
        elif line.startswith("p cnf"):
            variables = int(words[2])
        elif words and words[0] not in ("c", "p"):
            clauses.append([int(word) for word in words[:-1]])
counter, log = WeightedCounter(), 0.0
counter.new_vars(variables)
counter.add_clauses(clauses)
for v in range(1, variables + 1):
    high, low = weights.get(v, 1.0), weights.get(-v, 1.0)
    if high + low == 2.0:
        continue
    log += math.log(high + low)  # so that the count is no larger than a double
    counter.set_lit_weight(v, high / (high + low))
    counter.set_lit_weight(-v, low / (high + low))
print(math.log(counter.count()) + log)
