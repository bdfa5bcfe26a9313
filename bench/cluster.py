#!/usr/bin/env python3
"""Speed-up of lpmln-mpi on more and more ranks, simulated from times.

    python3 bench/cluster.py [--lanes FILE | --mean S --spread X --count N] [--serial S] [--transfer S] [--evaluate S]

FILE has the seconds of one lane a line; without it, lanes are drawn from a log-normal distribution of that mean and
spread (standard deviation of the logarithm).  Lanes are handed out as lpmln-mpi does: in order, to whoever is idle, rank 0
included.  --serial is what rank 0 does alone before (reading, grounding) and after (evaluating), --transfer the time that the
answer of a lane takes at rank 0, one after the other, --latency the way of a task and its answer.
"""

import argparse
import heapq
import math
import random


def finish(lanes, ranks, transfer, latency):
    """Seconds until the last answer is at rank 0."""
    idle = [(0.0, rank) for rank in range(ranks)]
    arrivals = []
    for seconds in lanes:
        start, rank = heapq.heappop(idle)
        end = start + seconds + (latency if rank else 0)
        heapq.heappush(idle, (end, rank))
        arrivals.append((end, rank))
    free = 0.0
    for end, rank in sorted(arrivals):
        free = max(free, end) + (transfer if rank else 0)
    return free


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lanes")
    parser.add_argument("--mean", type=float, default=0.0184)
    parser.add_argument("--spread", type=float, default=0.5)
    parser.add_argument("--count", type=int, default=125)
    parser.add_argument("--serial", type=float, default=0.2)
    parser.add_argument("--transfer", type=float, default=2e-4)
    parser.add_argument("--latency", type=float, default=5e-4)
    args = parser.parse_args()
    if args.lanes:
        with open(args.lanes, encoding="utf-8") as file:
            lanes = [float(line) for line in file if line.strip()]
    else:
        pick = random.Random(1)
        middle = math.log(args.mean) - args.spread**2 / 2
        lanes = [pick.lognormvariate(middle, args.spread) for _ in range(args.count)]
    alone = args.serial + sum(lanes)
    print(f"{len(lanes)} lanes, {sum(lanes):.2f} s, the longest {max(lanes):.3f} s; alone {alone:.2f} s")
    print("| ranks | seconds | speed-up | |\n|---|---|---|---|")
    for ranks in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000, 2000, 5000, 10000):
        seconds = args.serial + finish(lanes, ranks, args.transfer, args.latency)
        bar = "#" * round(10 * math.log2(max(alone / seconds, 1)))
        print(f"| {ranks:,} | {seconds:.3f} | {alone / seconds:.1f} | {bar} |")


if __name__ == "__main__":
    main()
