"""Tests which mutants the rules make of a line."""

import unittest

import rules


def made(text):
    return {(mutant.rule, rules.applied(text, mutant)) for mutant in rules.mutants(text)}


class Rules(unittest.TestCase):
    def test_operators_and_constants(self):
        self.assertEqual(made("y = a + b;"), {("operator", "y = a - b;"), ("dropped statement", ";")})
        self.assertEqual(made("return x <= 2;"), {("operator", "return x < 2;"), ("constant", "return x <= 3;"),
                                                  ("constant", "return x <= 1;")})
        self.assertEqual(made("return .5;"), {("constant", "return 1.0;")})
        self.assertEqual(made("return 1e-8;"), {("constant", "return 2e-08;")})
        self.assertEqual(made("const Real* p, T&& x, std::vector<int> y"), set())

    def test_off_by_one(self):
        self.assertIn(("off by one", "n = i;"), made("n = i + 1;"))
        self.assertNotIn(("constant", "n = i + 0;"), made("n = i + 1;"))
        self.assertIn(("off by one", "while (i < x.size() - 1)"), made("while (i < x.size())"))

    def test_conditions_choices_and_arguments(self):
        self.assertEqual(made("if (a) go(b);"), {("negated condition", "if (!(a)) go(b);"),
                                                 ("dropped statement", "if (a) ;")})
        self.assertEqual(made("return a ? b : c;"), {("swapped choice", "return a ? c : b;")})
        self.assertEqual(made("return f(x.y, z[0]);"), {("swapped arguments", "return f(z[0], x.y);"),
                                                        ("constant", "return f(x.y, z[1]);")})
        self.assertEqual(made("return f(x, x);"), set())

    def test_statements(self):
        self.assertEqual(made("  x.add_grad(dy);"), {("dropped statement", "  ;")})
        self.assertEqual(made("  ++x[i];"), {("dropped statement", "  ;")})
        self.assertEqual(made("  const auto y = f(x);"), set())
        self.assertEqual(made("  if (a) continue;"), {("negated condition", "  if (!(a)) continue;"),
                                                      ("dropped statement", "  if (a) ;")})

    def test_what_is_no_code_stays(self):
        self.assertEqual(made('// a + 1\n#pragma omp if (n > 2)\nf("x + 1");\n/* b - 2\n c */'), set())
        self.assertEqual([mutant.line for mutant in rules.mutants('\n"a + b" + c')], [2])


if __name__ == "__main__":
    unittest.main()
