"""The answers of families.py's problems by programs that share nothing with lpmln: elimination of variables, dynamic
programs over frontiers, paths and sums, forward-backward, a formula for complete graphs.  Plain Python.

answer(problem) is ln Z, or the probability of the query; None: too large for these programs.
"""

import math

WIDEST = 1 << 19  # entries of a table


# ---- factors: elimination, the fewest new edges first ---------------------------------------------------

def offsets(strides, outer, sizes):
    """Of a table's entries, for all values of the outer variables."""
    found = [0]
    for v in outer:
        step = strides.get(v, 0)
        found = [o + k * step for o in found for k in range(sizes[v])] if step else [o for o in found for _ in range(sizes[v])]
    return found


def strides_of(variables, sizes):
    strides, step = {}, 1
    for v in reversed(variables):
        strides[v] = step
        step *= sizes[v]
    return strides


def sum_out(v, factors, sizes):
    """The product of factors, summed over v: (variables, table), and the ln of what was taken out of it."""
    outer = sorted({u for variables, _ in factors for u in variables} - {v})
    total = None
    for k in range(sizes[v]):
        product = None
        for variables, table in factors:
            strides = strides_of(variables, sizes)
            base = k * strides[v]
            part = [table[base + o] for o in offsets(strides, outer, sizes)]
            product = part if product is None else [x * y for x, y in zip(product, part)]
        total = product if total is None else [x + y for x, y in zip(total, product)]
    most = max(total)
    return (tuple(outer), [x / most for x in total]) if most else (tuple(outer), total), math.log(most) if most else -math.inf


def cheapest(neighbours):
    """The variable whose elimination joins the fewest others anew, then the one with the fewest neighbours."""
    def cost(v):
        near = list(neighbours[v])
        fill = sum(b not in neighbours[a] for i, a in enumerate(near) for b in near[:i])
        return fill, len(near), v
    return min(neighbours, key=cost)


def log_sum(sizes, factors, order=None):
    """ln of the sum over all values; None: too wide."""
    neighbours = {v: set() for v in range(len(sizes))}
    for variables, _ in factors:
        for v in variables:
            neighbours[v] |= set(variables) - {v}
    left, log, order = list(factors), 0.0, list(order or [])
    while neighbours:
        v = order.pop(0) if order else cheapest(neighbours)
        near = neighbours.pop(v)
        for u in near:
            neighbours[u] |= near - {u}
            neighbours[u].discard(v)
        mine, left = [f for f in left if v in f[0]], [f for f in left if v not in f[0]]
        if math.prod(sizes[u] for u in near) > WIDEST:
            return None
        if not mine:
            log += math.log(sizes[v])
            continue
        made, more = sum_out(v, mine, sizes)
        log += more
        left.append(made)
    return log


def by_elimination(sizes, factors, asked=None, order=None):
    log = log_sum(sizes, factors, order)
    if asked is None or log is None:
        return log
    v, value = asked
    return math.exp(log_sum(sizes, factors + [((v,), [k == value for k in range(sizes[v])])], order) - log)


# ---- reachability ---------------------------------------------------------------------------------------

def canonical(labels):
    number = {}
    return tuple(0 if not l else number.setdefault(l, len(number) + 1) for l in labels)


def by_partitions(up, edges):
    """P(node 0 is connected with the last), nodes being up or not: over the partitions of the frontier."""
    n = len(up)
    near = {v: [] for v in range(n)}
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    leaves = {v: max(near[v] + [v]) if v else n for v in range(n)}
    frontier, states = [], {(): 1.0}
    for v in range(n):
        where = [frontier.index(u) for u in near[v] if u < v]
        keep = [i for i, u in enumerate(frontier + [v]) if leaves[u] > v or u in (0, n - 1) or v == n - 1]
        made = {}
        for labels, p in states.items():
            new = max(labels, default=0) + 1
            joined = {labels[i] for i in where} - {0}
            alive = [new if l in joined else l for l in labels] + [new]
            for after, q in ((alive, p * up[v]), (list(labels) + [0], p * (1 - up[v]))):
                key = canonical([after[i] for i in keep])
                made[key] = made.get(key, 0) + q
        frontier = [(frontier + [v])[i] for i in keep]
        states = made
        if len(states) > 200000:
            return None
    first, last = frontier.index(0), frontier.index(n - 1)
    return sum(p for labels, p in states.items() if labels[first] and labels[first] == labels[last])


def by_exploring(n, up):
    """P(the last node is reached from node 0) along arcs that are up or not: nodes explored one after the other."""
    out = {v: [] for v in range(n)}
    for (a, b), p in up.items():
        out[a].append((b, p))
    states, found = {(1, 1): 1.0}, 0.0  # reached; of these to be explored
    while states:
        made = {}
        if len(states) > 400000:
            return None
        for (reached, waiting), p in states.items():
            v = waiting.bit_length() - 1
            cases = [(reached, waiting & ~(1 << v), p)]
            for b, q in out[v]:
                if reached >> b & 1:
                    continue
                cases = [case for r, w, x in cases for case in ((r | 1 << b, w | 1 << b, x * q), (r, w, x * (1 - q)))]
            for r, w, x in cases:
                if r >> (n - 1) & 1:
                    found += x
                elif w:
                    made[r, w] = made.get((r, w), 0) + x
        states = made
    return found


def by_formula(n, p):
    """Random graphs: nodes 1 and 2 are connected."""
    connected = [0, 1.0]
    for k in range(2, n + 1):
        connected.append(1 - sum(math.comb(k - 1, j - 1) * connected[j] * (1 - p) ** (j * (k - j)) for j in range(1, k)))
    return sum(math.comb(n - 1, k - 1) * connected[k] * (1 - p) ** (k * (n - k)) * (k - 1) / (n - 1) for k in range(1, n + 1))


# ---- chains, trees, sums --------------------------------------------------------------------------------

def by_path(n, edges, seen, stress=.3, influence=.2):
    """Smokers on a tree: P(0 smokes | `seen` smokes).  What hangs on the path between the two only kindles it."""
    near = {v: [] for v in range(n)}
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    parent, order = {0: None}, [0]
    for v in order:
        for u in near[v]:
            if u != parent[v]:
                parent[u] = v
                order.append(u)
    path = [seen]
    while path[-1]:
        path.append(parent[path[-1]])
    path.reverse()
    on, kindled = set(path), {}
    for v in reversed(order):
        quiet = 1 - stress
        for u in near[v]:
            if parent[u] == v and u not in on:
                quiet *= 1 - influence * kindled[u]
        kindled[v] = 1 - quiet
    # (0 smokes, a way back to 0 is open, the node at hand smokes because of those before it)
    states = {(False, True, False): 1.0}
    for i, v in enumerate(path):
        made = {}
        for (first, back, lit), p in states.items():
            for open_back, x in ((True, influence), (False, 1 - influence)) if i else ((True, 1.0),):
                for forth, y in ((True, influence), (False, 1 - influence)) if i else ((False, 1.0),):
                    for own, z in ((True, kindled[v]), (False, 1 - kindled[v])):
                        way = back and open_back
                        key = first or (own and way), way, own or (lit and forth)
                        made[key] = made.get(key, 0) + p * x * y * z
        states = made
    both = sum(p for (first, _, lit), p in states.items() if first and lit)
    return both / sum(p for (_, _, lit), p in states.items() if lit)


def by_forward_backward(start, move, show, seen):
    """P(state 0 in the middle | what was seen)."""
    every, middle = range(len(start)), (len(seen) - 1) // 2
    ahead = [start[s] * show[s][seen[0]] for s in every]
    for q in seen[1:middle + 1]:
        ahead = [sum(ahead[r] * move[r][s] for r in every) * show[s][q] for s in every]
        ahead = [x / sum(ahead) for x in ahead]
    behind = [1.0 for _ in every]
    for q in reversed(seen[middle + 1:]):
        behind = [sum(move[s][r] * show[r][q] * behind[r] for r in every) for s in every]
        behind = [x / sum(behind) for x in behind]
    both = [a * b for a, b in zip(ahead, behind)]
    return both[0] / sum(both)


def by_links(n, first, next_):
    """P(all links hold): a model violates nothing, the first rule, or one of the n others."""
    return 1 / (1 + math.exp(-first) + n * math.exp(-next_))


def by_sums(weights, p, bound):
    """P(the chosen weights add up to `bound` at most)."""
    chance = [1.0] + [0.0] * bound
    for w, q in zip(weights, p):
        chance = [(1 - q) * x + (q * chance[i - w] if i >= w else 0) for i, x in enumerate(chance)]
    return sum(chance)


def by_numbers(n):
    """Friends of whom nothing is known: only how many smoke counts."""
    smoker, other = math.exp(-1.4) * (math.exp(-2.3) + math.exp(-1.5)), 1 + math.exp(-2.3)
    same, apart = 1 + math.exp(-4.6), 1 + math.exp(-4.6 - 1.1)
    pairs = n * (n - 1) // 2
    return math.log(sum(math.comb(n, k) * smoker ** k * other ** (n - k) *
                        same ** (pairs - k * (n - k)) * apart ** (k * (n - k)) for k in range(n + 1)))


WAYS = {"factors": by_elimination, "nodes": by_partitions, "arcs": by_exploring, "complete": by_formula, "tree": by_path,
        "chain": by_links, "hmm": by_forward_backward, "knapsack": by_sums, "open_friends": by_numbers}


def answer(problem):
    data = dict(problem.data)
    return WAYS[data.pop("kind")](**data)
