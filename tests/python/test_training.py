"""softalign.train writes the same bytes as the program `train`."""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import fixtures
import programs
import softalign


class Train(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # A shell that runs the tests in the background makes them ignore Ctrl-C.
        cls.addClassCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))

    def test_same_bytes_as_the_program(self):
        out = fixtures.folder("same")
        for name, options, words in [
                ("rnnsearch", {}, []),
                ("transformer", {"model": "transformer", "hidden": 8, "heads": 2, "layers": 1}, ["--model", "transformer", "--hidden", "8", "--heads", "2", "--layers", "1"]),
                ("align", {"align": True, "lowercase": False, "seed": 5}, ["--align", "--no-lowercase", "--seed", "5"])]:
            with self.subTest(name):
                tiny = {**fixtures.TINY, **options}
                softalign.train(data=fixtures.corpus(), out=out / name, **tiny)
                base = [word for option, value in fixtures.TINY.items() if option not in options
                        for word in ("--" + option.replace("_", "-"), value)]
                programs.succeed("train", "--data", fixtures.corpus(), "--out", out / f"{name}-program", *base, *words)
                self.assertEqual(programs.contents(out / name), programs.contents(out / f"{name}-program"))

    def test_callback_gets_the_metrics(self):
        out = fixtures.folder("metrics") / "run"
        seen = []
        softalign.train(data=fixtures.corpus(), out=out, callback=seen.append, **fixtures.TINY)
        lines = programs.json_lines(out / "metrics.jsonl")
        self.assertEqual([{key: line[key] for key in lines[0]} for line in seen], lines)
        self.assertTrue(all(line["seconds"] > 0 for line in seen))

    def test_a_callback_may_translate(self):
        out = fixtures.folder("translating")
        other = softalign.Run(fixtures.run())
        texts = []
        softalign.train(data=fixtures.corpus(), out=out / "a", callback=lambda _: texts.append(other.translate("you love me").text), **fixtures.TINY)
        softalign.train(data=fixtures.corpus(), out=out / "b", **fixtures.TINY)
        self.assertEqual(len(texts), 2)
        self.assertEqual(programs.contents(out / "a"), programs.contents(out / "b"))

    def test_other_threads_translate_during_a_training(self):
        out = fixtures.folder("threads")
        other = softalign.Run(fixtures.run())
        done, times = threading.Event(), []
        def translate():
            while not done.is_set():
                other.translate("you love me")
                times.append(time.monotonic())
        thread = threading.Thread(target=translate)
        thread.start()
        try:
            softalign.train(data=fixtures.corpus(), out=out / "a", **{**fixtures.TINY, "epochs": 4})
        finally:
            done.set()
            thread.join()
        softalign.train(data=fixtures.corpus(), out=out / "b", **{**fixtures.TINY, "epochs": 4})
        self.assertGreater(len(times), 3)
        self.assertEqual(programs.contents(out / "a"), programs.contents(out / "b"))

    def test_an_exception_of_the_callback_saves_the_state(self):
        out = fixtures.folder("stopped")
        class Enough(Exception):
            pass
        def stop(metrics):
            if metrics["epoch"] == 2:
                raise Enough
        with self.assertRaises(Enough):
            softalign.train(data=fixtures.corpus(), out=out / "a", callback=stop, **{**fixtures.TINY, "epochs": 4})
        softalign.train(resume=True, out=out / "a", threads=1)
        softalign.train(data=fixtures.corpus(), out=out / "b", **{**fixtures.TINY, "epochs": 4})
        self.assertEqual(programs.contents(out / "a")["model.safetensors"], programs.contents(out / "b")["model.safetensors"])

    def test_ctrl_c_raises_keyboard_interrupt_and_saves(self):
        out = fixtures.folder("interrupted")
        code = ("import softalign, sys\n"
                f"try: softalign.train(data={str(fixtures.corpus())!r}, out={str(out / 'a')!r}, epochs=500, "
                "embedding=8, hidden=12, attention_size=8, readout=8, threads=1,"
                " callback=lambda m: print('epoch', m['epoch'], flush=True))\n"
                "except KeyboardInterrupt: print('interrupted'); sys.exit(7)\n")
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, "PYTHONPATH": str(fixtures.BUILD / "python")}) as process:
            self.assertEqual(process.stdout.readline(), "epoch 1\n")
            process.send_signal(signal.SIGINT)
            rest, problems = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 7, problems)
        self.assertIn("interrupted", rest)
        softalign.train(resume=True, out=out / "a", epochs=5, threads=1)

    def test_ctrl_c_while_a_line_is_logged(self):
        class Interrupted(logging.Handler):
            def handle(self, record):
                if "epoch" in record.getMessage():
                    logging.getLogger("softalign").removeHandler(self)
                    raise KeyboardInterrupt
        logger = logging.getLogger("softalign")
        logger.addHandler(handler := Interrupted())
        logger.setLevel(logging.INFO)
        try:
            with self.assertRaises(KeyboardInterrupt):
                softalign.train(data=fixtures.corpus(), out=fixtures.folder("logged") / "run", **fixtures.TINY)
        finally:
            logger.removeHandler(handler)
            logger.setLevel(logging.NOTSET)

    def test_dry_run_writes_nothing(self):
        out = fixtures.folder("dry") / "run"
        with self.assertLogs("softalign", "INFO") as logged:
            self.assertIsNone(softalign.train(data=fixtures.corpus(), out=out, dry_run=True, **fixtures.TINY))
        self.assertFalse(out.exists())
        self.assertTrue(any("parameters" in line for line in logged.output))

    def test_nothing_is_printed(self):
        out = fixtures.folder("silent") / "run"
        code = f"import softalign; softalign.train(data={str(fixtures.corpus())!r}, out={str(out)!r}, embedding=8, hidden=12, epochs=1, threads=1)"
        its = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                             env={**os.environ, "PYTHONPATH": str(fixtures.BUILD / "python")})
        self.assertEqual(its.stdout, "")
        self.assertTrue(all(line.startswith("note:") for line in its.stderr.splitlines()), its.stderr)


if __name__ == "__main__":
    unittest.main()
