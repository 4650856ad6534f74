"""Makes a study whose trainings are done, so that reproduce only has to write its report."""

import shutil

import programs

OPTIONS = {"encdec": ["--model", "encdec", "--reverse-source"], "rnnsearch": ["--model", "rnnsearch"]}
LONGEST = ["15", "25", "50"]


def lay_out(out, corpus, encdec, rnnsearch):
    """Copies these run folders as the runs of `reproduce bahdanau --seeds 2`. Returns the command."""
    (out / "runs").mkdir(parents=True)
    for kind, runs in (("encdec", encdec), ("rnnsearch", rnnsearch)):
        for i, longest in enumerate(LONGEST):
            for seed in (1, 2):
                folder = out / "runs" / f"{kind}-{longest}-seed{seed}"
                shutil.copytree(runs[min((i + seed - 1) // 2, len(runs) - 1)], folder)
                tested = ["--run", folder, "--data", corpus / "test.tsv", "--json", "--max-length", "1000", "--threads", "1"]
                (folder / "evaluation.json").write_text(programs.succeed("evaluate", *tested), encoding="utf-8")
                trained = ["--max-length", longest, "--data", corpus, "--seed", seed, "--out", folder, *OPTIONS[kind], "--threads", "1"]
                commands = [" ".join(map(str, command)) for command in (["train", *trained], ["evaluate", *tested])]
                programs.write_lines(out / "runs" / f"{folder.name}.commands", commands)
    return ["reproduce", "bahdanau", "--data", corpus, "--seeds", "2", "--out", out, "--threads", "1"]
