#!/usr/bin/env python3
"""Compares our speed with a baseline (the peer) in one run, in turns: median ratios with their spread, as a table in
Markdown.

    PEER=path/to/run.sh tests/benchmarks/compare.py --out table.md
    tests/benchmarks/compare.py --rows train-toy greedy-toy --threads 2 --rounds 3        # some rows, without a peer

PEER is called as `PEER THREADS bench --config toy --what train ...`, or with `ttfs` for the start. Its last line is a JSON
object: "train_tok_s", "params", "rss_train_mb"; "greedy_b1_tok_s" and the like; "start_to_first_step_s". The peer of the
Transformer is another program, PEER_TRANSFORMER. The peer of bench_beyond is next to this script and needs PYTHON_OF_PEER,
a Python with torch.
With --json FILE, the script measures the figures of docs/measured/pytorch.json once, and writes them into FILE:

    tests/benchmarks/compare.py --json docs/measured/pytorch.json --peers DIR --python PYTHON
    docs/draw_speed.py docs/measured/pytorch.json > docs/speed.svg

DIR has the peers' seq2seq_torch.py and transformer_torch.py, and PYTHON has torch. On a machine with a GPU, the peers
run on the GPU too (gpu_torch.py).

Without PEER, only our programs are measured. Each side runs with every number of threads, and a row shows the better number
of each side. A ratio compares two measurements that follow each other, and its spread is over the rounds. OPENBLAS_CORETYPE
and OPENBLAS_L2_SIZE are unset for both sides.
"""
import argparse
import datetime
import json
import os
import statistics
import subprocess
import sys
import time
from collections import defaultdict, namedtuple
from pathlib import Path

import runs

# One process per side: the options of our program, the mode in which the peer measures the same, and our program.
Run = namedtuple("Run", "ours peer program", defaults=["bench"])
LUONG = ["--model", "luong", "--attention", "general"]
RUNS = {
    "train-toy": Run(["--size", "toy", "--what", "train"], ["bench", "--config", "toy", "--what", "train"]),
    "train-paper": Run(["--size", "paper", "--what", "train"],
                       ["bench", "--config", "paper", "--what", "train", "--warm", "2"]),
    "luong-toy": Run([*LUONG, "--size", "toy", "--what", "train"],
                     ["bench", "--config", "toy", "--attention", "general", "--input_feeding", "--what", "train"]),
    "greedy-toy": Run(["--size", "toy", "--what", "greedy"], ["bench", "--config", "toy", "--what", "greedy"]),
    "beam-toy": Run(["--size", "toy", "--what", "beam"], ["bench", "--config", "toy", "--what", "beam"]),
    "greedy-paper": Run(["--size", "paper", "--what", "greedy"], ["bench", "--config", "paper", "--what", "greedy"]),
    "start-toy": Run(["--size", "toy", "--what", "start"], ["ttfs", "--config", "toy"]),
}
# The peer decodes without such options. These rows compare translate's options for speed with the peer's usual decoding.
INT8, SHORTLIST = ["--int8"], ["--int8", "--shortlist", "1000"]
RUNS |= {
    "greedy-toy-int8": Run([*RUNS["greedy-toy"].ours, *INT8], RUNS["greedy-toy"].peer),
    "beam-toy-int8": Run([*RUNS["beam-toy"].ours, *INT8], RUNS["beam-toy"].peer),
    "greedy-paper-int8": Run([*RUNS["greedy-paper"].ours, *INT8], RUNS["greedy-paper"].peer),
    "greedy-paper-shortlist": Run([*RUNS["greedy-paper"].ours, *SHORTLIST], RUNS["greedy-paper"].peer),
}
TRANSFORMER = ["--model", "transformer"]
RUNS |= {
    "transformer-toy": Run([*TRANSFORMER, "--size", "toy", "--what", "train"], ["bench", "--config", "toy", "--what", "train"]),
    "transformer-greedy-toy": Run([*TRANSFORMER, "--size", "toy", "--what", "greedy"],
                                  ["bench", "--config", "toy", "--what", "greedy"]),
    "transformer-start-toy": Run([*TRANSFORMER, "--size", "toy", "--what", "start"], ["ttfs", "--config", "toy"]),
    "transformer-base": Run([*TRANSFORMER, "--size", "base", "--what", "train"],
                            ["bench", "--config", "base", "--what", "train", "--warm", "1", "--iters", "2"]),
    "transformer-greedy-base": Run([*TRANSFORMER, "--size", "base", "--what", "greedy"],
                                   ["bench", "--config", "base", "--what", "greedy"]),
}

BEYOND = ["convolution", "captioner", "lstmn"]
RUNS |= {name: Run(["--what", name], [name], "bench_beyond") for name in BEYOND}

# The text of a row in the table. The target is a ratio: "more" (at least ours / peer), "sooner" (at least peer / ours) or
# "less" (at most ours / peer). `share` is our share of a limit of the machine, and `share_target` its target.
Row = namedtuple("Row", "run text metric unit kind target share share_target", defaults=[None, None])
ROWS = [
    Row("train-toy", "TOY training, rnnsearch", "train_tok_s", "words/s", "more", 3.3, "share_of_peak", 0.65),
    Row("train-paper", "PAPER training, rnnsearch", "train_tok_s", "words/s", "more", 1.4, "share_of_peak", 0.9),
    Row("luong-toy", "TOY training, luong general, input feeding", "train_tok_s", "words/s", "more", 3.3),
    Row("greedy-toy", "TOY greedy, batch 1", "greedy_b1_tok_s", "words/s", "more", 5),
    Row("greedy-toy", "TOY greedy, batch 32", "greedy_b32_tok_s", "words/s", "more", 3),
    Row("beam-toy", "TOY beam 5, batch 1", "beam5_b1_tok_s", "words/s", "more", 5),
    Row("greedy-paper", "PAPER greedy, batch 1", "greedy_b1_tok_s", "words/s", "more", 2.5, "share_of_bandwidth", 0.7),
    Row("greedy-toy-int8", "TOY greedy, batch 1, --int8", "greedy_b1_tok_s", "words/s", "more", 10),
    Row("greedy-toy-int8", "TOY greedy, batch 32, --int8", "greedy_b32_tok_s", "words/s", "more", 3),
    Row("beam-toy-int8", "TOY beam 5, batch 1, --int8", "beam5_b1_tok_s", "words/s", "more", 10),
    Row("greedy-paper-int8", "PAPER greedy, batch 1, --int8", "greedy_b1_tok_s", "words/s", "more", 8),
    Row("greedy-paper-shortlist", "PAPER greedy, batch 1, --int8 and 1,000 words", "greedy_b1_tok_s", "words/s", "more", 8),
    Row("start-toy", "start to first training step, TOY", "start_to_first_step_s", "s", "sooner", 10),
    Row("train-paper", "peak memory, PAPER training", "rss_train_mb", "MB", "less", 0.6),
    Row("transformer-toy", "TOY training, Transformer", "train_tok_s", "words/s", "more", 2.1, "share_of_peak", 0.68),
    Row("transformer-greedy-toy", "TOY greedy, batch 1, Transformer", "greedy_b1_tok_s", "words/s", "more", 6),
    Row("transformer-greedy-toy", "TOY greedy, batch 32, Transformer", "greedy_b32_tok_s", "words/s", "more", 2.5),
    Row("transformer-start-toy", "start to first training step, Transformer TOY", "start_to_first_step_s", "s", "sooner", 10),
    Row("transformer-base", "BASE training, Transformer", "train_tok_s", "words/s", "more", 1.05, "share_of_peak", 0.94),
    Row("transformer-base", "peak memory, Transformer BASE training", "rss_train_mb", "MB", "less", 0.6),
    Row("transformer-greedy-base", "BASE greedy, batch 1, Transformer", "greedy_b1_tok_s", "words/s", "more", 4),
    Row("convolution", "training step, small convolutional network", "train_per_s", "pictures/s", "more", 1.5),
    Row("captioner", "training step, show, attend and tell", "train_per_s", "pictures/s", "more", 1.5),
    Row("lstmn", "training step, LSTMN", "train_per_s", "words/s", "more", 1.5),
]


def peer_of(name):
    """Returns the command of a peer, to which threads and mode are added. Returns None if there is no peer."""
    if name in BEYOND:
        python = os.environ.get("PYTHON_OF_PEER")
        return [python, Path(__file__).with_name("beyond_torch.py")] if python else None
    path = os.environ.get("PEER_TRANSFORMER" if name.startswith("transformer") else "PEER")
    return [path] if path else None


def measure(name, arguments, peer):
    """Returns {(side, threads): results of each round}. The sides take turns."""
    results = defaultdict(list)
    run = RUNS[name]
    bench = runs.find_bench(arguments.build, run.program)
    for number in range(arguments.rounds):
        for threads in arguments.threads:
            print(f"{name}: round {number + 1} of {arguments.rounds}, {threads} threads", file=sys.stderr, flush=True)
            results["ours", threads].append(
                runs.last_json([bench, *run.ours, "--threads", threads, "--seconds", arguments.seconds]))
            if peer:
                timed = [] if run.peer[0] == "ttfs" else ["--secs", arguments.seconds]
                results["peer", threads].append(runs.last_json([*peer, threads, *run.peer, *timed]))
    return results


def best_threads(results, side, row, choices):
    """Returns the number of threads with the better median."""
    median = lambda threads: statistics.median(r[row.metric] for r in results[side, threads])
    return (max if row.kind == "more" else min)(choices, key=median)


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def spread(values, form):
    return f"{form(statistics.median(values))} ({form(min(values))} to {form(max(values))})"


# The figures of docs/measured/pytorch.json. Each run gives several figures: the name of a figure and its metric. A name ends
# with the number of threads.
Figures = namedtuple("Figures", "names ours peer script gpu", defaults=["seq2seq_torch.py", ["eager"]])
FEW = ["--warm", "1", "--iters", "2"]  # a step takes about a second
DECODING = {"greedy toy": "greedy_b1_tok_s", "greedy toy 32": "greedy_b32_tok_s"}
FIGURES = {
    "toy": Figures({"train toy": "train_tok_s"}, ["--what", "train"],
                   ["--config", "toy", "--foreach", "--what", "train"]),
    "toy 128": Figures({"train toy 128": "train_tok_s"}, ["--what", "train", "--batch", "128"],
                       ["--config", "toy", "--batch", "128", "--foreach", "--what", "train"]),
    "decoding": Figures({**DECODING, "beam toy": "beam5_b1_tok_s"}, ["--what", "greedy,beam"],
                        ["--config", "toy", "--what", "greedy,beam"]),
    "paper": Figures({"train paper": "train_tok_s", "memory paper": "rss_train_mb"}, ["--size", "paper"],
                     ["--config", "paper", "--foreach", "--what", "train", *FEW]),
    "base": Figures({"train base": "train_tok_s", "memory base": "rss_train_mb"}, [*TRANSFORMER, "--size", "base"],
                    ["--config", "base", "--what", "train", *FEW], "transformer_torch.py"),
    "transformer": Figures({"train transformer": "train_tok_s"}, [*TRANSFORMER, "--what", "train"],
                           ["--config", "toy", "--what", "train"], "transformer_torch.py"),
    "paper decoding": Figures({"greedy paper": "greedy_b1_tok_s", "greedy paper 32": "greedy_b32_tok_s"},
                              ["--size", "paper", "--what", "greedy"], ["--config", "paper", "--what", "greedy"]),
    "compiled": Figures({"train toy": "train_tok_s"}, [], ["--config", "toy", "--foreach", "--what", "train"],
                        gpu=["compile", "graphs"]),  # compilation takes a minute
    "transformer decoding": Figures(
        {"greedy transformer": "greedy_b1_tok_s", "greedy transformer 32": "greedy_b32_tok_s"},
        [*TRANSFORMER, "--what", "greedy"], ["--config", "toy", "--what", "greedy"], "transformer_torch.py"),
}
# The numbers of threads of our program and of the peer. 0 is our program's own choice, and the name of its figure ends with
# "all".
ALL = (1, 2, 4, 8, 16)
OF_THREADS = {"toy": ((*ALL, 0), ALL), "toy 128": ((*ALL, 0), (8, 16)), "decoding": ((*ALL, 0), (1, 4, 8)),
              "transformer": ((*ALL, 0), (4, 8, 16)), "transformer decoding": ((1, 4, 16), (2, 16)),
              "paper": ((8, 16), (16,)), "base": ((8, 16), (16,)), "paper decoding": ((16,), (16,)), "compiled": ((), ())}


def once(command, longest, **variables):
    """Returns the JSON of the last line. Returns {} if the command fails or takes too long."""
    try:
        return runs.last_json(["timeout", longest, *command], **variables)
    except SystemExit as reason:
        print(f"note: left out: {str(reason)[:2000]}", file=sys.stderr, flush=True)
        return {}


def figures(arguments):
    """Measures the figures in turns: ours, PyTorch on the same cores, PyTorch on the GPU. Returns them by name."""
    found, began, bench = {}, time.monotonic(), runs.find_bench(arguments.build).absolute()
    most = len(os.sched_getaffinity(0))

    def run(prefix, names, suffix, command, **variables):
        left = arguments.limit - (time.monotonic() - began) if arguments.limit else 600
        if left < 8:  # seconds
            print(f"note: no time left for {prefix}{', '.join(names)}{suffix}", file=sys.stderr, flush=True)
            return
        result = once(command, min(90, int(left)), **variables)
        found.update({f"{prefix}{name}{suffix}": round(result[metric]) for name, metric in names.items() if metric in result})
        print(f"{time.monotonic() - began:.0f} s: {prefix}{', '.join(names)}{suffix}", file=sys.stderr, flush=True)
        if arguments.partly:
            runs.write_whole(arguments.partly, json.dumps(found, indent=1))

    seconds = lambda option: [option, arguments.seconds]
    for name, figure in FIGURES.items():
        ours, theirs = ([n for n in numbers if n <= most] for numbers in OF_THREADS[name])
        for threads in ours:
            run("", figure.names, f" {threads or 'all'}", [bench, *figure.ours, "--threads", threads, *seconds("--seconds")])
        if not arguments.peers:
            continue
        peer = ["bench", *figure.peer, *seconds("--secs")]
        for threads in theirs:
            run("torch ", figure.names, f" {threads}",
                [arguments.python, Path(arguments.peers) / figure.script, *peer, "--threads", threads],
                OMP_NUM_THREADS=str(threads))
        for way in figure.gpu if arguments.gpu else []:
            names = {name: metric for name, metric in figure.names.items() if metric.endswith("tok_s")}
            run({"eager": "gpu ", "compile": "gpu compiled ", "graphs": "gpu graphs "}[way], names, "", [
                arguments.python, Path(__file__).with_name("gpu_torch.py"), Path(arguments.peers) / figure.script, way, *peer])
    return found


def write_figures(arguments):
    """Writes the new figures into FILE. Its other contents, for example its tables, do not change."""
    path = Path(arguments.json)
    file = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"tables": {}}
    file.update({"date": datetime.date.today().isoformat(), "machine": runs.machine() + (f"; {arguments.gpu}" if arguments.gpu else ""),
                 "commit": arguments.commit, "command": f"tests/benchmarks/compare.py {' '.join(sys.argv[1:])}",
                 "unit": "target words per second; memory in MB", "figures": figures(arguments)})
    runs.write_whole(path, json.dumps(file, indent=2, ensure_ascii=False) + "\n")


def name_of_gpu():
    """Returns the name of the GPU; "" without a GPU."""
    try:
        listed = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True,
                                check=False)
    except OSError:
        return ""
    return listed.stdout.strip().splitlines()[0] if listed.returncode == 0 and listed.stdout.strip() else ""


def cells(row, results, arguments, peer):
    ours_at = best_threads(results, "ours", row, arguments.threads)
    ours = results["ours", ours_at]
    values = [r[row.metric] for r in ours]
    line = [row.text, f"{number(statistics.median(values))} {row.unit}, {ours_at} threads"]
    if peer:
        peer_at = best_threads(results, "peer", row, arguments.threads)
        theirs = [r[row.metric] for r in results["peer", peer_at]]
        ratios = [b / a if row.kind == "sooner" else a / b for a, b in zip(values, theirs)]
        ratio, at_most = statistics.median(ratios), row.kind == "less"
        met = "" if (ratio <= row.target if at_most else ratio >= row.target) else ", missed"
        line += [f"{number(statistics.median(theirs))} {row.unit}, {peer_at} threads",
                 spread(ratios, lambda x: f"{x:.2f}x"), f"{'<=' if at_most else '>='} {row.target:.3g}x{met}"]
    share = ""
    if row.share:
        shares = [r[row.share] for r in ours]
        met = "" if statistics.median(shares) >= row.share_target else ", missed"
        limit = "the SGEMM peak" if row.share == "share_of_peak" else "the memory's bandwidth"
        share = f"{spread(shares, lambda x: f'{100 * x:.0f}%')} of {limit} (>= {100 * row.share_target:.0f}%{met})"
    return line + [share]


def parameters(name, results, arguments, peer):
    """Returns the line below the table that tells whether both sides ran the same model."""
    ours = results["ours", arguments.threads[0]][0]
    theirs = results["peer", arguments.threads[0]][0].get("params") if peer else None
    text = f"- {name}: {ours['params']:,} parameters"
    if theirs:
        text += f", the peer's {theirs:,}" + (" (with biases that change nothing)" if ours.get("same_model")
                                              else ": not the same model, `bench` says how they differ")
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="folder of bench")
    parser.add_argument("--rows", nargs="+", choices=list(RUNS), default=list(RUNS), help="what to measure")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], help="settings that each side may choose from")
    parser.add_argument("--seconds", type=float, default=5, help="measure each at least so long")
    parser.add_argument("--out", help="write the table here instead of to the screen")
    parser.add_argument("--json", metavar="FILE", help="measure the figures of docs/measured/pytorch.json, and write them")
    parser.add_argument("--peers", metavar="DIR", help="with --json: folder of the peers' scripts")
    parser.add_argument("--python", default=sys.executable, help="with --json: a Python that has torch")
    parser.add_argument("--limit", type=float, default=0, help="with --json: end after so many seconds; 0: none")
    parser.add_argument("--partly", metavar="FILE", help="with --json: keep what is measured so far here")
    parser.add_argument("--commit", default="", help="with --json: the commit that bench was built from")
    arguments = parser.parse_args()
    arguments.gpu = name_of_gpu()
    if arguments.json:
        return write_figures(arguments)
    if arguments.rounds < 1 or min(arguments.threads) < 1:
        parser.error("--rounds and --threads: at least 1 expected")
    peers = any(peer_of(name) for name in arguments.rows)
    header = ["", "ours"] + (["peer", "ratio (spread)", "target"] if peers else []) + ["share of the limit"]
    lines = ["| " + " | ".join(header) + " |", "|---" * len(header) + "|"]
    notes = ["", f"{runs.machine()}; medians of {arguments.rounds} alternating rounds:",
             f"`{'PEER=... ' if peers else ''}{' '.join(sys.argv)}`", ""]
    for name in arguments.rows:
        peer = peer_of(name)
        results = measure(name, arguments, peer)
        lines += ["| " + " | ".join(cells(row, results, arguments, peer)) + " |" for row in ROWS if row.run == name]
        notes.append(parameters(name, results, arguments, peer))
    text = "\n".join(lines + notes) + "\n"
    if arguments.out:
        runs.write_whole(arguments.out, text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
