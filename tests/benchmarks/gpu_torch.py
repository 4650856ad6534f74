#!/usr/bin/env python3
"""Runs a baseline program that was written for the CPU on a GPU, with the same options and TF32 products.

    tests/benchmarks/gpu_torch.py PEER.py eager bench --config toy --what train,greedy        # the last line is JSON
    tests/benchmarks/gpu_torch.py PEER.py compile ...      # torch.compile
    tests/benchmarks/gpu_torch.py PEER.py graphs ...       # torch.compile with CUDA graphs
"""
import importlib.util
import sys

import torch

WAYS = {"eager": None, "compile": {}, "graphs": {"mode": "reduce-overhead"}}


def load(path):
    specification = importlib.util.spec_from_file_location("peer", path)
    peer = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(peer)
    return peer


def main():
    path, way, *arguments = sys.argv[1:]
    torch.set_default_device("cuda")
    torch.set_float32_matmul_precision("high")
    peer = load(path)
    timeit, train_step = peer.timeit, peer.train_step
    peer.timeit = lambda work, *limits: timeit(lambda: (work(), torch.cuda.synchronize()), *limits)
    compiled = {}

    def compiled_step(model, *rest):
        if model not in compiled:
            compiled[model] = torch.compile(model, **WAYS[way])
        return train_step(compiled[model], *rest)

    if WAYS[way] is not None:
        peer.train_step = compiled_step
    sys.argv = [path, *arguments, "--threads", "1"]
    peer.main()


if __name__ == "__main__":
    main()
