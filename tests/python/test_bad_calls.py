"""Wrong calls raise a clear exception. None of them ends the interpreter."""

import os
import shutil
import subprocess
import sys
import unittest

import fixtures
import numpy as np
import softalign
from softalign import autograd as ag
from softalign.errors import (DamagedFileError, DataError, FileAccessError, MissingFileError, UnsupportedFormatError,
                              UsageError)

NAN = float("nan")


def closed():
    run = softalign.Run(fixtures.run())
    run.close()
    return run


def damaged(name, change):
    """Returns a copy of the run in which `change` has changed the file `name`."""
    folder = fixtures.folder(f"damaged-{len(os.listdir(fixtures.corpus().parent))}")
    shutil.copytree(fixtures.run(), folder, dirs_exist_ok=True)
    path = folder / name
    path.write_bytes(change(path.read_bytes()))
    return folder


def freed():
    x = ag.variable([1.0, 2.0])
    y = ag.sum(x * x)
    ag.backward(y)
    return y


def picture(content):
    path = fixtures.folder(f"picture-{len(os.listdir(fixtures.corpus().parent))}") / "a.png"
    path.write_bytes(content)
    return path


def corpus_file(text):
    path = fixtures.folder(f"file-{len(os.listdir(fixtures.corpus().parent))}") / "a.tsv"
    path.write_text(text, encoding="utf-8")
    return path


def run():
    return softalign.Run(fixtures.run())


def other_vocabulary():
    folder = fixtures.folder("other-vocabulary")
    softalign.train(data=fixtures.programs.tiny_corpus(folder / "corpus", train=40), out=folder / "run", **{**fixtures.TINY, "epochs": 1})
    return folder / "run"


def square(n=2):
    return np.full((n, n), 1 / n)


def show(matrix, source="a b", target="x y", **more):
    return softalign.show(matrix, source, target, **more)


def train(**options):
    return softalign.train(**{"data": fixtures.corpus(), "out": fixtures.corpus().parent / "never", **fixtures.TINY, **options})


# (the call, the class of its exception, texts of its message)
CASES = {
    # opening
    "a missing folder": (lambda: softalign.Run("no/such/folder"), MissingFileError, "no/such/folder"),
    "a missing folder is a FileNotFoundError": (lambda: softalign.Run("no/such"), FileNotFoundError, "no/such"),
    "a folder without a run": (lambda: softalign.Run(fixtures.folder("empty")), MissingFileError, "model.safetensors"),
    "a file in place of a run": (lambda: softalign.Run(fixtures.corpus() / "train.tsv"), softalign.Error, "train.tsv"),
    "a corpus in place of a run": (lambda: softalign.Run(fixtures.corpus()), softalign.Error, "corpus"),
    "a run that is a number": (lambda: softalign.Run(5), TypeError, "folder must be a path"),
    "a run that is None": (lambda: softalign.Run(None), TypeError, "folder must be a path"),
    "a run of bytes": (lambda: softalign.Run(b"runs/demo"), TypeError, "folder must be a path"),
    "no run": (lambda: softalign.Run([]), UsageError, "at least one"),
    "an empty name": (lambda: softalign.Run(""), UsageError, "empty"),
    "a NUL in a name": (lambda: softalign.Run("a\0b"), UsageError, "NUL"),
    "a wrong choice": (lambda: softalign.Run(fixtures.run(), alignment_by="head"), UsageError, "--alignment-by: unknown value 'head'"),
    "no alignment layer": (lambda: softalign.Run(fixtures.run(), alignment_by="layer"), UsageError, "align"),
    "a truncated model": (lambda: softalign.Run(damaged("model.safetensors", lambda b: b[:-100])), DamagedFileError, "model.safetensors"),
    "a changed model": (lambda: softalign.Run(damaged("model.safetensors", lambda b: b[:-9] + b"\xff" * 9)), DamagedFileError, "model.safetensors"),
    "a foreign model": (lambda: softalign.Run(damaged("model.safetensors", lambda b: b"PK\3\4" + b[4:])), (DamagedFileError, UnsupportedFormatError), "model.safetensors"),
    "a broken configuration": (lambda: softalign.Run(damaged("config.json", lambda b: b"{")), softalign.Error, "config.json"),
    "runs with different vocabularies": (lambda: softalign.Run([fixtures.run(), other_vocabulary()]), DataError, "vocabular"),
    # translating
    "a closed run": (lambda: closed().translate("a"), UsageError, "is closed"),
    "a closed run scores": (lambda: closed().score("a", "b"), UsageError, "is closed"),
    "a closed run has no model": (lambda: closed().model, UsageError, "is closed"),
    "a number as a sentence": (lambda: run().translate(5), TypeError, "list of str"),
    "None as a sentence": (lambda: run().translate(None), TypeError, "list of str"),
    "bytes as a sentence": (lambda: run().translate(b"a"), TypeError, "list of str"),
    "a list with a number": (lambda: run().translate(["a", 5]), TypeError, "sentence[1] must be a str"),
    "a lone surrogate": (lambda: run().translate("\ud800"), UsageError, "lone surrogate"),
    "a sentence of 5,000 words": (lambda: run().translate("a " * 5000), DataError, "5000 words"),
    "the number of a bad sentence": (lambda: run().translate(["a", "a " * 5000]), DataError, "sentence 2: "),
    "an unknown option": (lambda: run().translate("a", beem=5), UsageError, "did you mean --beam?"),
    "an unknown flag": (lambda: run().translate("a", beem=False), UsageError, "no option --beem"),
    "a beam of 0": (lambda: run().translate("a", beam=0), UsageError, "beam is 0"),
    "a negative beam": (lambda: run().translate("a", beam=-1), UsageError, "beam"),
    "a beam that is a word": (lambda: run().translate("a", beam="wide"), UsageError, "wide"),
    "a beam that is a fraction": (lambda: run().translate("a", beam=2.5), UsageError, "2.5"),
    "a beam that is True": (lambda: run().translate("a", beam=True), UsageError, "--beam"),
    "a beam that is a dict": (lambda: run().translate("a", beam={}), TypeError, "beam: a text, a number"),
    "a beam that is a list": (lambda: run().translate("a", beam=[1, 2]), UsageError, "--beam was given twice"),
    "n_best above beam": (lambda: run().translate("a", beam=2, n_best=3), UsageError, "--n-best is larger"),
    "beam and sample": (lambda: run().translate("a", beam=2, sample=3), UsageError, "--sample"),
    "NaN as a temperature": (lambda: run().translate("a", sample=1, temperature=NAN), UsageError, "temperature"),
    "threads beyond the limit": (lambda: run().translate("a", threads=10**9), UsageError, "threads"),
    "an option of the terminal": (lambda: run().translate("a", color="never"), UsageError, "belongs to the programs"),
    "help": (lambda: run().translate("a", help=True), UsageError, "belongs to the programs"),
    "a missing shortlist": (lambda: run().translate("a", shortlist="no.tsv"), MissingFileError, "no.tsv"),
    "no positional option": (lambda: run().translate("a", 5), TypeError, "positional"),
    # given translations
    "a text and a list": (lambda: run().align("a", ["b"]), TypeError, "both"),
    "lists of different lengths": (lambda: run().align(["a", "b"], ["c"]), UsageError, "2 sources and 1 targets"),
    "a blank source": (lambda: run().align(" ", "b"), DataError, "blank"),
    "a blank target": (lambda: run().score("a", ""), DataError, "blank"),
    "a long target": (lambda: run().score("a", "b " * 500), DataError, "500 words"),
    "attention of a model without any": (lambda: softalign.Run(fixtures.encdec()).align("a", "b"), softalign.Error, "attention"),
    # other tasks
    "translating with a captioning run": (lambda: softalign.Run(fixtures.captions()[0]).translate("a"), UsageError, "cannot translate"),
    "a caption of a translation run": (lambda: run().caption("a.png"), UsageError, "translation"),
    "an answer of a translation run": (lambda: run().answer(["a"], "b"), UsageError, "translation"),
    "a judgement of a translation run": (lambda: run().entail("a", "b"), UsageError, "translation"),
    "a missing picture": (lambda: softalign.Run(fixtures.captions()[0]).caption("no.png"), MissingFileError, "no.png"),
    "a damaged picture": (lambda: softalign.Run(fixtures.captions()[0]).caption(picture(b"\x89PNG\r\n\x1a\n123")), softalign.Error, "a.png"),
    "a damaged JPEG picture": (lambda: softalign.Run(fixtures.captions()[0]).caption(picture(b"\xff\xd8\xff\xe0")), softalign.Error, "a.png"),
    "a picture that is a number": (lambda: softalign.Run(fixtures.captions()[0]).caption(3), TypeError, "picture must be a path"),
    "an empty story": (lambda: softalign.Run(fixtures.stories()).answer([], "where is mary ?"), DataError, "story"),
    "a blank question": (lambda: softalign.Run(fixtures.stories()).answer(["mary went away"], " "), DataError, "question"),
    "a question that is a list": (lambda: softalign.Run(fixtures.stories()).answer(["a"], ["b"]), TypeError, "question must be a str"),
    # evaluate
    "a missing corpus": (lambda: run().evaluate("no.tsv"), MissingFileError, "no.tsv"),
    "no corpus": (lambda: run().evaluate(), UsageError, "--data"),
    "a corpus with one column": (lambda: run().evaluate(corpus_file("only one column\n")), DataError, "a.tsv:1"),
    "a folder as a corpus": (lambda: run().evaluate(fixtures.corpus()), softalign.Error, "corpus"),
    "a missing reference": (lambda: run().evaluate(fixtures.corpus() / "valid.tsv", reference="no.txt"), MissingFileError, "no.txt"),
    # links
    "no pairs": (lambda: softalign.links([]), DataError, "at least one pair"),
    "pairs that are a path": (lambda: softalign.links("train.tsv"), TypeError, "reads no files"),
    "a pair of three": (lambda: softalign.links([("a", "b", "c")]), TypeError, "pairs[0]"),
    "a pair that is a text": (lambda: softalign.links(["ab"]), TypeError, "pairs[0]"),
    "a pair of numbers": (lambda: softalign.links([(1, 2)]), TypeError, "must be a list of str"),
    "blank pairs": (lambda: softalign.links([("", "b"), (" ", "c")]), DataError, "blank"),
    "a word with a space": (lambda: softalign.links([(["a b"], ["c"])]), DataError, "white space"),
    "a wrong rule": (lambda: softalign.links([("a", "b")], rule="best"), UsageError, "rule"),
    "a threshold without agreement": (lambda: softalign.links([("a", "b")], rule="union", threshold=0.5), UsageError, "--threshold"),
    # records
    "a missing file of records": (lambda: softalign.records("no.jsonl"), MissingFileError, "no.jsonl"),
    "a file of records with an error": (lambda: softalign.records(corpus_file("{}\n"), from_="jsonl"), DataError, "a.tsv:1"),
    "an unknown format": (lambda: softalign.records(corpus_file("a"), from_="docx"), UsageError, "docx"),
    "a picture format": (lambda: softalign.records(corpus_file("a"), from_="svg"), UsageError, "picture"),
    "no sentences": (lambda: softalign.records(corpus_file("0-0\n"), from_="pharaoh"), UsageError, "--data"),
    "records that are a number": (lambda: softalign.records(7), TypeError, "path must be a path"),
    "the file given twice": (lambda: softalign.records("a.jsonl", in_="b.jsonl"), UsageError, "twice"),
    # show
    "NaN": (lambda: show([[NAN, 1], [0.5, 0.5]]), DataError, "row 0, column 0 is nan"),
    "infinity": (lambda: show([[0.5, 0.5], [float("inf"), 0]]), DataError, "row 1, column 0 is inf"),
    "a ragged matrix": (lambda: show([[1, 0], [1]]), DataError, "same number of weights"),
    "ragged arrays": (lambda: show([np.ones((2, 2)), np.ones((2, 4))]), DataError, "layer 2"),
    "a transposed matrix": (lambda: show(np.ones((4, 2)) / 2), DataError, "transposed"),
    "scores before the softmax": (lambda: show([[3.0, 1.0], [0.0, 1.0]]), DataError, "after the softmax"),
    "a negative weight": (lambda: show([[-1.0, 1.0], [0.0, 1.0]]), DataError, "between 0 and 1"),
    "one axis": (lambda: show([1.0, 0.0]), DataError, "1 axes"),
    "seven axes": (lambda: show(np.ones((1,) * 7)), DataError, "7 axes"),
    "no heads": (lambda: show(np.ones((0, 2, 2))), DataError, "matrix"),
    "too many heads": (lambda: show(np.full((100, 50, 2, 2), 0.5)), DataError, "at most 400"),
    "a text as a matrix": (lambda: show("0 1"), TypeError, "matrix of numbers"),
    "None as a matrix": (lambda: show(None), TypeError, "matrix of numbers"),
    "complex numbers": (lambda: show([[1j, 0], [0, 1]]), DataError, "matrix"),
    "words that are numbers": (lambda: show(square(), [1, 2], "x y"), TypeError, "source[0]"),
    "words that are None": (lambda: show(square(), None), TypeError, "source"),
    "gold outside": (lambda: show(square(), gold=[(5, 0)]), DataError, "outside"),
    "gold that is negative": (lambda: show(square(), gold=[(-1, 0)]), DataError, "outside"),
    "gold that is no link": (lambda: show(square(), gold=[1, 2]), DataError, "no link"),
    "gold that is a word": (lambda: show(square(), gold="a-b"), DataError, "no link"),
    "a picture with too many cells": (lambda: show(np.full((1200, 1200), 1e-3), ["a"] * 1200, ["b"] * 1200), DataError, "cells"),
    "a title that is a number": (lambda: show(square(), title=3), TypeError, "title"),
    "a wrong ending": (lambda: show(square()).save("page.pdf"), UsageError, ".html or .svg"),
    "a missing folder of a page": (lambda: show(square()).save("no/such/page.html"), FileNotFoundError, "no/such"),
    "a tab that does not exist": (lambda: show(square()).svg("head 9"), UsageError, "no tab"),
    # train
    "an option that train does not know": (lambda: train(hiden=3), UsageError, "did you mean --hidden?"),
    "a model that does not exist": (lambda: train(model="gpt"), UsageError, "gpt"),
    "a corpus that does not exist": (lambda: train(data="no/such"), (MissingFileError, UsageError, DataError), "no/such"),
    "a run that exists": (lambda: train(out=fixtures.run()), softalign.Error, "force"),
    "resume and force": (lambda: train(resume=True, force=True, out=fixtures.run()), UsageError, "--resume"),
    "a callback that is a text": (lambda: train(callback="f"), TypeError, "callback must be a function"),
    "a callback that fails": (lambda: train(callback=lambda: None, out=fixtures.folder("fails") / "r"), TypeError, "argument"),
    "an option of the screen": (lambda: train(plot_every=3), UsageError, "belongs to the program"),
    "NaN as a learning rate": (lambda: train(lr=NAN), UsageError, "lr"),
    "an output file in place of a folder": (lambda: train(out=fixtures.corpus() / "train.tsv"), softalign.Error, "train.tsv"),
    "both directions of captions": (lambda: softalign.train(data=fixtures.captions()[1].parent, out="never", both_directions=True), UsageError, "--both-directions"),
    # autograd
    "shapes that do not fit": (lambda: ag.variable(np.ones((2, 3))) + ag.variable(np.ones((4, 3))), ValueError, "(2, 3)"),
    "matrices that do not fit": (lambda: ag.variable(np.ones((2, 3))) @ ag.variable(np.ones((4, 3))), ValueError, "matmul"),
    "five axes": (lambda: ag.variable(np.ones((1,) * 5)), ValueError, "at most 4"),
    "a text as a variable": (lambda: ag.variable("a"), TypeError, "numbers"),
    "ragged lists as a variable": (lambda: ag.variable([[1, 2], [3]]), TypeError, "numbers"),
    "the gradient of a matrix": (lambda: ag.backward(ag.variable(np.ones((2, 2))) * 2), ValueError, "backward"),
    "a gradient of another shape": (lambda: ag.backward(ag.variable([1.0]) * 2, [1.0, 2.0]), ValueError, "shape"),
    "backward twice": (lambda: ag.backward(freed()), (ValueError, RuntimeError), "backward"),
    "an axis that does not exist": (lambda: ag.sum(ag.variable([1.0]), axis=3), IndexError, "axis 3"),
    "an index outside": (lambda: ag.variable([1.0])[5], IndexError, "out of range"),
    "too many indices": (lambda: ag.variable([1.0])[0, 0], IndexError, "more indices"),
    "a step of two": (lambda: ag.variable([1.0, 2.0])[::2], IndexError, "step 1"),
    "an index that is a text": (lambda: ag.variable([1.0])["a"], TypeError, "index"),
    "a row outside": (lambda: ag.gather(ag.variable(np.ones((2, 2))), [5]), ValueError, "gather"),
    "a target outside": (lambda: ag.cross_entropy(ag.variable(np.ones((2, 2))), [1, 7]), ValueError, "target"),
    "rows that are fractions": (lambda: ag.gather(ag.variable(np.ones((2, 2))), [0.5]), TypeError, "whole numbers"),
    "rows that are words": (lambda: ag.gather(ag.variable(np.ones((2, 2))), ["a"]), TypeError, "whole numbers"),
    "a dropout of 1": (lambda: ag.dropout(ag.variable([1.0]), 1.0, 1), ValueError, "dropout"),
    "nothing to join": (lambda: ag.concat([]), ValueError, "at least one"),
    "a shape that does not fit": (lambda: ag.reshape(ag.variable([1.0, 2.0]), (3,)), ValueError, "reshape"),
    "axes that do not exist": (lambda: ag.transpose(ag.variable(np.ones((2, 2))), (0, 5)), ValueError, "transpose"),
    "a new value of another shape": (lambda: setattr(ag.variable([1.0]), "value", [1.0, 2.0]), ValueError, "shape"),
    "a new value of a result": (lambda: setattr(ag.variable([1.0]) * 2, "value", [1.0]), ValueError, "variable or constant"),
    "a function that returns a number": (lambda: ag.gradcheck(lambda x: 3.0, [ag.variable([1.0])]), TypeError, "must return a Var"),
    "a function that fails": (lambda: ag.gradcheck(lambda x: 1 / 0, [ag.variable([1.0])]), ZeroDivisionError, "division"),
    "an optimiser that does not exist": (lambda: ag.Optimiser(ag.Parameters(), "adagrad"), ValueError, "adagrad"),
    "an optimiser of variables": (lambda: ag.Optimiser([ag.variable([1.0])]), TypeError, "must be Parameters"),
    "a name that is taken": (lambda: [ag.Parameters().declare("a", (1,)) for p in [ag.Parameters()] for _ in range(2) if p.declare("a", (1,))], ValueError, "twice"),
    "an initialiser that does not exist": (lambda: ag.Parameters().declare("a", (1,), "best"), ValueError, "best"),
    "an initial value of another shape": (lambda: ag.Parameters().declare("a", (1,), [1.0, 2.0]), ValueError, "shape"),
    "an lstm of a matrix": (lambda: ag.lstm(*[ag.variable(np.ones((2, 2)))] * 4), ValueError, "lstm"),
    "scores of a matrix": (lambda: ag.additive_scores(*[ag.variable(np.ones((2, 2)))] * 3), ValueError, "additive_scores"),
}


class BadInput(unittest.TestCase):
    def test_every_case_raises_its_exception(self):
        self.assertGreaterEqual(len(CASES), 60)
        for name, (call, kind, text) in CASES.items():
            with self.subTest(name):
                with self.assertRaises(kind) as raised:
                    call()
                self.assertIn(text, str(raised.exception))

    @unittest.skipIf(os.geteuid() == 0, "root may read every file")
    def test_a_file_without_permission(self):
        folder = damaged("model.safetensors", lambda b: b)
        (folder / "model.safetensors").chmod(0)
        with self.assertRaises(FileAccessError):
            softalign.Run(folder)

    def test_errors_have_the_messages_of_the_program(self):
        for call, words in [(lambda: run().translate("a", beem=5), ["translate", "--run", fixtures.run(), "--beem=5", "a"]),
                            (lambda: run().translate("a", beam=2, n_best=3), ["translate", "--run", fixtures.run(), "--beam=2", "--n-best=3", "a"]),
                            (lambda: softalign.Run("no/such"), ["translate", "--run", "no/such", "a"]),
                            (lambda: train(model="gpt"), ["train", "--model=gpt"]),
                            (lambda: softalign.records("no.jsonl"), ["convert", "no.jsonl", "--format", "tsv"])]:
            with self.subTest(words), self.assertRaises(softalign.Error) as raised:
                call()
            its = fixtures.programs.run(*words).stderr
            self.assertIn(f"error: {raised.exception}\n", its.replace(str(fixtures.BUILD) + "/", ""))

    def test_the_interpreter_ends_well_after_an_error(self):
        code = "import softalign\ntry: softalign.Run('no')\nexcept softalign.MissingFileError: print('fine')"
        its = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                             env={**os.environ, "PYTHONPATH": str(fixtures.BUILD / "python")})
        self.assertEqual((its.stdout, its.stderr), ("fine\n", ""))


if __name__ == "__main__":
    unittest.main()
