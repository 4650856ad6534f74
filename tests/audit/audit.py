#!/usr/bin/env python3
"""Starts programs with hostile and extreme input at random for a given time, and counts the outcomes.

    tests/audit/audit.py --seconds 3600 --seed 1 --jobs 2
    tests/audit/audit.py --seed 1 --case 4711 --keep /tmp/case        # repeats one start and keeps its folder

The audit checks what every program promises. The program ends with 0, 1 or 2, or by the signal that was sent. It needs bounded
time and memory. A refusal has one short error message without the text of a library or a sanitizer. The program changes only
its outputs, which are complete or missing. No control character reaches a terminal. The exit status is 1 if a start broke a
promise. SOFTALIGN_BUILD names the folder of the programs, for example build-sanitize. The default is build.
"""

import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import kinds  # noqa: E402
import sandbox  # noqa: E402
import starts  # noqa: E402


def draw_kind(draw, only):
    chosen = {name: share for name, (_, share) in kinds.KINDS.items() if only in name}
    return draw.choices(list(chosen), list(chosen.values()))[0]


def one(base, seed, case, folder, only=""):
    """Runs one start in this folder. Returns (kind, start, end, outcome, complaints)."""
    draw = random.Random(f"{seed} {case}")
    name = draw_kind(draw, only)
    shutil.rmtree(folder, ignore_errors=True)
    box = folder / "box"
    box.mkdir(parents=True)
    start = kinds.KINDS[name][0](kinds.Place(base, box, draw))
    before = sandbox.snapshot(box)
    end = starts.run(start, box)
    after = sandbox.snapshot(box)
    outcome, complaints = starts.judge(start, end, before, after)
    if start.then and not complaints:
        said = start.then(box, end)
        complaints += [said] if said else []
    return name, start, end, outcome, complaints


def work(base, seed, first, step, until, least, folder, only, results):
    """Runs the starts first, first + step, ... and writes each result as a line of a file. Ends after `until`, but not before
    all starts below `least` are done."""
    os.nice(10)
    case = first
    with open(results, "w", encoding="utf-8") as out:
        while time.monotonic() < until or case < least:
            try:
                name, start, end, outcome, complaints = one(base, seed, case, folder, only)
                line = {"case": case, "kind": name, "outcome": outcome, "complaints": complaints, "command": start.shown()[:1500], "seconds": round(end.seconds, 2),
                        "megabytes": round(end.megabytes), "said": end.said[-400:].decode(errors="replace")}
            except Exception as error:  # noqa: BLE001: an error of the audit itself
                line = {"case": case, "kind": "the audit itself", "outcome": "other", "complaints": [f"{type(error).__name__}: {error}"], "command": "", "said": "",
                        "seconds": 0, "megabytes": 0}
            out.write(json.dumps(line) + "\n")
            out.flush()
            if line["complaints"]:
                print(f"FAILED case {case} ({line['kind']}): {'; '.join(line['complaints'])}\n  {line['command'][:600]}\n  again: tests/audit/audit.py --seed {seed} --case "
                      f"{case}{f' --only {only!r}' if only else ''}" + f"\n  it said: {line['said']!r}", flush=True)
            case += step


def audit(seconds, seed=1, jobs=1, only="", least=0):
    """Runs starts for `seconds` seconds, or longer on a busy machine: at least `least` starts. Returns their results as
    dictionaries."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        base = sandbox.prepare(folder / "base")
        until = time.monotonic() + seconds
        children = []
        for k in range(jobs):
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    work(base, seed, k, jobs, until, least, folder / f"job-{k}", only, folder / f"results-{k}")
                    status = 0
                finally:
                    os._exit(status)
            children.append(child)
        held = [os.waitpid(child, 0)[1] == 0 for child in children]
        assert all(held), "a process of the audit ended early"
        return [json.loads(line) for k in range(jobs) for line in (folder / f"results-{k}").read_text(encoding="utf-8").splitlines()]


def show(results, seconds):
    outcomes = ["done", "refused (1)", "refused (2)", "stopped", "other"]
    print(f"\n{'kind':32}{'starts':>8}" + "".join(f"{name:>13}" for name in outcomes) + f"{'broke':>8}{'longest, s':>12}{'most, MB':>10}")
    for name in [*sorted({r["kind"] for r in results}), "all"]:
        mine = [r for r in results if name in (r["kind"], "all")]
        counts = Counter(r["outcome"] for r in mine)
        print(f"{name:32}{len(mine):8}" + "".join(f"{counts[o]:13}" for o in outcomes) + f"{sum(bool(r['complaints']) for r in mine):8}"
              f"{max(r['seconds'] for r in mine):12.1f}{max(r['megabytes'] for r in mine):10}")
    print(f"{len(results)} starts in {seconds:.0f} s")


def again(seed, case, only, keep):
    """Repeats one start and keeps its folder."""
    base = keep / "base"
    if not base.exists():
        sandbox.prepare(base)
    name, start, end, outcome, complaints = one(base, seed, case, keep / "case", only)
    print(f"{name}: {outcome}, exit status {end.status}, {end.seconds:.1f} s, {end.megabytes:.0f} MB\n  {start.shown()[:3000]}\n  in {keep / 'case' / 'box'}")
    print("  it said: " + end.said[-3000:].decode(errors="replace"))
    print("\n".join(f"  BROKE: {complaint}" for complaint in complaints) or "  nothing broke")
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="starts at the same time")
    parser.add_argument("--only", default="", help="kinds whose name has this in it")
    parser.add_argument("--case", type=int, help="this start alone")
    parser.add_argument("--keep", type=Path, default=Path("audit-case"), help="where --case leaves its folder")
    a = parser.parse_args()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if a.case is not None:
        sys.exit(bool(again(a.seed, a.case, a.only, a.keep.absolute())))
    begin = time.monotonic()
    results = audit(a.seconds, a.seed, a.jobs, a.only)
    show(results, time.monotonic() - begin)
    sys.exit(any(r["complaints"] for r in results))


if __name__ == "__main__":
    main()
