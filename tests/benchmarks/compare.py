#!/usr/bin/env python3
"""Ours beside a peer, alternating, in one run: median ratios with their spread.

    PEER=path/to/run.sh tests/benchmarks/compare.py [--build build] [--config toy paper] [--rounds 5] [--threads 2]

PEER is a program called as `PEER THREADS bench --config toy --what train` whose last line is a JSON object with
"train_tok_s", "params" and "rss_train_mb". Without PEER only ours is measured. OPENBLAS_CORETYPE and OPENBLAS_L2_SIZE
are unset for both, so that each side picks its own kernels.
"""
import argparse
import json
import os
import statistics
import subprocess


def last_json(command, environment):
    out = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(out.strip().splitlines()[-1])


def spread(values):
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--config", nargs="+", default=["toy", "paper"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=5)
    arguments = parser.parse_args()
    environment = {k: v for k, v in os.environ.items() if k not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}
    peer = os.environ.get("PEER")
    threads = str(arguments.threads)
    for config in arguments.config:
        ours, theirs = [], []
        for _ in range(arguments.rounds):
            ours.append(last_json([os.path.join(arguments.build, "bench"), "--config", config, "--threads", threads,
                                   "--seconds", str(arguments.seconds)], environment))
            if peer:
                theirs.append(last_json([peer, threads, "bench", "--config", config, "--what", "train", "--secs",
                                         str(arguments.seconds)], environment))
        print(f"{config}: ours {spread([r['train_tok_s'] for r in ours])} target tokens/s, "
              f"{spread([100 * r['gflops'] / r['peak_gflops'] for r in ours])}% of the SGEMM peak, "
              f"{spread([r['rss_train_mb'] for r in ours])} MB")
        if peer:
            print(f"{config}: peer {spread([r['train_tok_s'] for r in theirs])} target tokens/s, "
                  f"{spread([r['rss_train_mb'] for r in theirs])} MB; parameters {ours[0]['params']} and {theirs[0]['params']}")
            print(f"{config}: ratio {spread([a['train_tok_s'] / b['train_tok_s'] for a, b in zip(ours, theirs)])}", flush=True)


if __name__ == "__main__":
    main()
