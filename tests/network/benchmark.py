#!/usr/bin/env python3
"""Times training steps of two processes on two hosts with a cable of limited rate, next to the prediction of docs/scale.py.

    SOFTALIGN_BUILD=build tests/network/benchmark.py --out network.json      # root; about 6 minutes on idle cores

Each round trains with every rate of the cable, one after the other, so that other work on the machine hits all of them.
A figure is the median of the rounds. The prediction uses the time of the step on the fastest cable, and the bytes and messages
that `train` reports. It also uses the rate and the delay of the cable that two sockets measured. Each row of the JSON file has the error of
the prediction.
"""
import argparse
import datetime
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections import namedtuple
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(Path(__file__).resolve().parent), str(PROJECT / "docs")]
import hosts  # noqa: E402
import scale  # noqa: E402

RATES = ["10gbit", "1gbit", "100mbit"]  # and None, which is the kernel's own speed
LARGE = ["--hidden", "512", "--embedding", "256", "--attention-size", "256", "--readout", "256"]
Model = namedtuple("Model", "options pairs steps")  # pairs per batch, and steps per epoch
MODELS = {"TOY": Model([], 32, 6), "9 million parameters": Model(LARGE, 32, 2), "9 million parameters, 128 pairs": Model(LARGE, 128, 2)}
NAMES = {"10gbit": "10 Gbit/s", "1gbit": "1 Gbit/s", "100mbit": "100 Mbit/s"}


def parser():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--out", type=Path, help="JSON file; without it, the figures are printed only")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--models", nargs="+", default=list(MODELS), choices=MODELS)
    p.add_argument("--dtypes", nargs="+", default=["float32", "bfloat16", "int8"])
    p.add_argument("--rates", nargs="+", default=RATES, help="as tc writes them")
    p.add_argument("--accumulation", type=int, nargs="+", default=[1, 4])
    return p


def corpus(folder, pairs):
    folder.mkdir()
    for name, count in (("train.tsv", pairs), ("valid.tsv", 8)):
        lines = (PROJECT / "data/toy" / name).read_text(encoding="utf-8").splitlines(keepends=True)
        (folder / name).write_text("".join(lines[:count]), encoding="utf-8")
    return folder


def train(network, folder, data, pairs, options):
    """Returns the seconds per step, and the bytes and messages that each process sent per step."""
    with tempfile.TemporaryDirectory(dir=folder) as out:
        program = Path(os.environ["SOFTALIGN_BUILD"]).resolve() / "train"
        words = [program, "--data", data, "--out", Path(out) / "run", "--epochs", 2, "--threads", 1, "--batch", pairs, *options]
        done = subprocess.run(network.command(*words), capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        if done.returncode:
            sys.exit(done.stdout + done.stderr)
        sent = re.search(r"sent ([\d.]+) MB in (\d+) messages per step", done.stdout)
        rows = [json.loads(line) for line in (Path(out) / "run/timing.jsonl").read_text().splitlines()]
        steps = json.loads((Path(out) / "run/metrics.jsonl").read_text().splitlines()[-1])["steps"] / len(rows)
        return min(row["train_seconds"] for row in rows) / steps, float(sent[1]) * 1e6, int(sent[2])


def measure(arguments, network, folder):
    """Returns rows with the measured and predicted time of a step, and the networks that two sockets measured."""
    cases = [(m, d, a) for m in arguments.models for d in arguments.dtypes for a in arguments.accumulation]
    seconds, sent, cables, bursts = {}, {}, {}, {}
    rates = [None, *arguments.rates]
    for _ in range(arguments.rounds):
        for rate in rates:
            bursts[rate] = network.limit(rate)
            cables.setdefault(rate, []).append(network.measure(1.0))
        for model, dtype, accumulation in cases:
            data = folder / f"{model}-{accumulation}"
            if not data.exists():
                corpus(data, MODELS[model].pairs * MODELS[model].steps * (1 if accumulation == 1 else 2))
            for rate in rates:
                network.limit(rate)
                options = [*MODELS[model].options, "--gradient-dtype", dtype, "--gradient-accumulation", accumulation]
                time, bytes_sent, messages = train(network, folder, data, MODELS[model].pairs, options)
                seconds.setdefault((model, dtype, accumulation, rate), []).append(time)
                sent[model, dtype, accumulation] = bytes_sent, messages
                print(model, dtype, accumulation, rate, f"{1e3 * time:.0f} ms, load {os.getloadavg()[0]:.1f}", flush=True)
    networks = {rate: scale.Network(rate or "kernel", statistics.median(b for b, _ in seen), statistics.median(d for _, d in seen), bursts[rate])
                for rate, seen in cables.items()}
    rows = []
    for model, dtype, accumulation in cases:
        bytes_sent, messages = sent[model, dtype, accumulation]
        fastest = statistics.median(seconds[model, dtype, accumulation, None])
        alone = scale.seconds_alone(fastest, scale.seconds_for(bytes_sent, messages, networks[None]), accumulation)
        for rate in arguments.rates:
            measured = statistics.median(seconds[model, dtype, accumulation, rate])
            predicted = scale.step_seconds(alone, scale.seconds_for(bytes_sent, messages, networks[rate]), accumulation)
            rows.append({"model": model, "gradient dtype": dtype, "accumulation": accumulation, "rate": rate,
                         "MB per step": round(bytes_sent / 1e6, 2), "messages per step": messages,
                         "ms per step, fastest cable": round(1e3 * fastest, 1), "ms per step": round(1e3 * measured, 1),
                         "ms per step, predicted": round(1e3 * predicted, 1), "error, %": round(100 * (predicted / measured - 1), 1)})
    return rows, networks


def rounded(milliseconds):
    return round(milliseconds) if milliseconds >= 100 else milliseconds


def figures_and_table(rows, rates):
    """Returns the figures by name and the table of docs/several-machines.md, with one row per model, type and accumulation."""
    figures, lines = {}, {}
    for row in rows:
        case = f"{row['model']}, {row['gradient dtype']}" + (f", {row['accumulation']} batches per step" if row["accumulation"] > 1 else "")
        line = lines.setdefault(case, [case, row["MB per step"], rounded(row["ms per step, fastest cable"])])
        for what in ("ms per step", "ms per step, predicted"):
            line.append(name := f"{case}, {row['rate']}: {what}")
            figures[name] = rounded(row[what])
    columns = ["ms per step with two processes", "MB sent", "fastest network"]
    for rate in rates:
        columns += [NAMES.get(rate, rate), "predicted"]
    return figures, {"steps": {"columns": columns, "rows": list(lines.values())}}


def main():
    arguments = parser().parse_args()
    if hosts.missing():
        sys.exit(hosts.missing())
    before = os.getloadavg()
    with hosts.Hosts() as network, tempfile.TemporaryDirectory(prefix="softalign-network-") as folder:
        rows, networks = measure(arguments, network, Path(folder))
    for row in rows:
        print(row)
    figures, table = figures_and_table(rows, arguments.rates)
    result = {"date": f"{datetime.date.today()}", "machine": f"{os.cpu_count()} cores, shared with other work (load {before[0]:.0f} to {os.getloadavg()[0]:.0f}), "
              "two network namespaces with a tbf queue", "commit": subprocess.run(["git", "-C", PROJECT, "rev-parse", "--short", "HEAD"],
                                                                              capture_output=True, text=True, check=False).stdout.strip(),
              "command": "tests/network/benchmark.py " + " ".join(sys.argv[1:]),
              "networks": {n.name: {"bytes per second": round(n.bytes_a_second), "seconds per message": round(n.latency, 7), "seconds saved by a burst": n.burst} for n in networks.values()},
              "unit": "milliseconds per step", "rows": rows, "figures": figures, "tables": table}
    if arguments.out:
        arguments.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
