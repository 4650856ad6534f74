#!/usr/bin/env python3
"""Computes the cost of training in several processes, from the time of a step on one machine and the figures of a network.

    docs/scale.py                       # the table of several-machines.md
    docs/scale.py --plot > docs/scale.svg

Each machine keeps the batch size that it has on its own. For R machines and G bytes of gradients, the exchange takes
2 (R - 1) / R G / bandwidth + 7 (R - 1) latency. Every number is sent to the machine that adds up its part, and comes back. There
are seven exchanges, in each of which every machine sends to every other machine. The exchange of the first gradients overlaps
the rest of the backward pass. The model assumes that this hides a quarter of the time of the last batch (OVERLAP). A step
takes as long as on one machine, plus the rest of the exchange. A network that was idle may send its first bytes at once,
as the network of tests/network/benchmark.py does. Network.burst is the time that this saves, in seconds. Rows of embedding
tables are sent separately and are smaller than G assumes. The model ignores this.
"""
import argparse
import sys
from collections import namedtuple
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import draw_growth  # noqa: E402

MACHINES = [1, 2, 4, 8, 16, 32, 64]
OVERLAP = 0.25  # of the time of a batch, chosen from measurements before those in docs/measured/network.json
Network = namedtuple("Network", "name bytes_a_second latency burst", defaults=[0])
NETWORKS = [Network("10 Gbit/s", 1.25e9, 20e-6), Network("25 Gbit/s", 3.125e9, 10e-6), Network("100 Gbit/s", 12.5e9, 2e-6)]
System = namedtuple("System", "name parameters step words")  # step: seconds on one machine of two cores (performance.md)
SYSTEMS = [System("TOY rnnsearch", 924432, 320 / 55_356, 320),
           System("PAPER rnnsearch", 90_529_020, 2400 / 887, 2400),
           System("Transformer BASE", 90_241_328, 2400 / 754, 2400)]


def seconds_for(sent, messages, network):
    """Returns the seconds for the bytes that each machine sends while it receives as many."""
    return max(0, sent / network.bytes_a_second - network.burst) + messages * network.latency


def exchange(system, network, machines):
    """Returns the seconds for the exchange of the gradients of a step."""
    sent = 2 * (machines - 1) / machines * 4 * system.parameters
    return seconds_for(sent, 7 * (machines - 1), network)


def step_seconds(alone, exchanged, batches=1):
    """Returns the seconds of a step that takes `alone` seconds for its batches without an exchange of `exchanged` seconds."""
    return alone + max(0, exchanged - OVERLAP * alone / batches)


def seconds_alone(step, exchanged, batches=1):
    """Returns the seconds of the batches of a step. This is the inverse of step_seconds."""
    return max(step - exchanged, 0) / (1 - OVERLAP / batches) if exchanged > OVERLAP * step / batches else step


def efficiency(system, network, machines):
    """Returns the fraction of the step in which the machine computes."""
    return system.step / step_seconds(system.step, exchange(system, network, machines))


def table():
    lines = ["| | a step, ms | " + " | ".join(f"{m} machines" for m in MACHINES[1:]) + " |", "|---|---|" + "---|" * len(MACHINES[1:])]
    for system in SYSTEMS:
        for network in NETWORKS:
            parts = [f"{100 * efficiency(system, network, m):.0f}%" for m in MACHINES[1:]]
            lines.append(f"| {system.name}, {network.name} | {1e3 * system.step:,.0f} | " + " | ".join(parts) + " |")
    return "\n".join(lines)


def plot():
    panels = []
    for system in SYSTEMS:
        curves = {n.name: [(m, m * efficiency(system, n, m) * system.words / system.step) for m in MACHINES] for n in NETWORKS}
        panels.append({"x": "machines", "y": f"{system.name}: target words/s", "curves": curves})
    return draw_growth.draw({"panels": panels, "caption": "Computed by docs/scale.py, no measurement but that of one machine"})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plot", action="store_true")
    print(plot() if parser.parse_args().plot else table())
