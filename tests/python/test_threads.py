"""Threads share a Run, other threads go on meanwhile, and nothing leaks."""

import gc
import resource
import threading
import time
import unittest

import fixtures
import softalign

SENTENCES = ["i see the red car", "you love me", "the old man reads", "we do not see you"]


def resident():
    """Returns the memory that this process uses, in KiB."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024


class Threads(unittest.TestCase):
    def test_two_threads_translate_with_one_run(self):
        run = softalign.Run(fixtures.run())
        expected = {s: run.translate(s, beam=3).text for s in SENTENCES}
        wrong, count = [], [0, 0]
        def work(k):
            for i in range(200):
                sentence = SENTENCES[(i + k) % len(SENTENCES)]
                if run.translate(sentence, beam=3).text != expected[sentence]:
                    wrong.append(sentence)
                count[k] += 1
        threads = [threading.Thread(target=work, args=(k,)) for k in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((wrong, count), ([], [200, 200]))

    def test_a_run_that_is_closed_meanwhile(self):
        run = softalign.Run(fixtures.run())
        problems = []
        def work():
            try:
                while True:
                    run.translate("you love me")
            except softalign.UsageError as problem:
                problems.append(str(problem))
        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        time.sleep(0.1)
        run.close()
        for thread in threads:
            thread.join()
        self.assertEqual(len(problems), 2)

    def test_python_runs_while_the_engine_computes(self):
        run = softalign.Run(fixtures.run())
        done, ticks = threading.Event(), []
        def tick():
            while not done.is_set():
                ticks.append(time.monotonic())
                time.sleep(0.001)
        thread = threading.Thread(target=tick)
        thread.start()
        begin = time.monotonic()
        run.translate(SENTENCES * 300, beam=5, batch=2000)
        seconds = time.monotonic() - begin
        done.set()
        thread.join()
        during = [t for t in ticks if begin < t < begin + seconds]
        self.assertGreater(len(during), 20 * seconds)


class Memory(unittest.TestCase):
    def test_10000_translations_leak_nothing(self):
        run = softalign.Run(fixtures.run())
        def translate(times):
            for i in range(times):
                t = run.translate(SENTENCES[i % len(SENTENCES)])
                t.matrix, t.links, t.tokens, t.log_probabilities  # noqa: B018
            gc.collect()
            return resident()
        before = translate(1000)
        after = translate(10000)
        self.assertLess(after - before, 4096, "KiB")

    def test_figures_options_and_errors_leak_nothing(self):
        run = softalign.Run(fixtures.run())
        def work(times):
            for _ in range(times):
                run.translate("you love me", beam=2, n_best=2)._repr_html_()
                try:
                    run.translate("a", beem=1)
                except softalign.UsageError:
                    pass
            gc.collect()
            return resident()
        before = work(200)
        after = work(1000)
        self.assertLess(after - before, 4096, "KiB")

    def test_a_closed_run_frees_its_memory(self):
        def cycle(times):
            for _ in range(times):
                with softalign.Run(fixtures.run()) as run:
                    run.translate("you love me")
            gc.collect()
            return resident()
        before = cycle(20)
        self.assertLess(cycle(100) - before, 4096, "KiB")


if __name__ == "__main__":
    unittest.main()
