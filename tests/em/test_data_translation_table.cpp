#include "data/alignment/em/translation_table.h"

#include <cmath>

#include "data/alignment/em/spelling.h"
#include "tests/catch.h"

using namespace softalign;
using namespace data;

namespace {

std::vector<Pair> pairs() {
  return {{.source = {"a", "b"}, .target = {"x", "y"}, .gold = {}, .tags = {}},
          {.source = {"a"}, .target = {"a"}, .gold = {}, .tags = {}}};
}

TranslationTable table(const TablePrior& prior) { return {pairs(), &Pair::source, &Pair::target, prior}; }

// c(e, f) = 3 for a and x, and 1 for all other cells.
std::vector<double> counts(const TranslationTable& table) {
  std::vector<double> all(table.cells().cells(), 1);
  all[table.cells().find(table.source().id("a"), table.target().id("x"))] = 3;
  return all;
}

}  // namespace

TEST_CASE("without a prior t(e|f) is the relative frequency") {
  TranslationTable t = table({.alpha = 0, .prefix = 0, .identity = 0, .letters = 0});
  t.maximise(counts(t));
  const std::vector<double> found = t.of_pair({"a"}, {"x", "y", "a"});  // counts of a: 3 with x, 1 with y, 1 with a
  CHECK(found[1] == Approx(3. / 5));
  CHECK(found[3] == Approx(1. / 5));
  CHECK(found[5] == Approx(1. / 5));
}

// Dyer, Chahuneau & Smith 2013.
TEST_CASE("variational Bayes reduces the probability of rare translations") {
  TranslationTable t = table({.alpha = .5, .prefix = 0, .identity = 0, .letters = 0});
  t.maximise(counts(t));
  // psi(1/2) = - gamma - 2 ln 2, psi(1) = - gamma, psi(x + 1) = psi(x) + 1/x
  const double gamma = 0.5772156649015329, half = -gamma - 2 * std::log(2);
  CHECK(t.of_pair({"a"}, {"x"})[1] ==
        Approx(std::exp(-2. / 7 - 2. / 9 - 2. / 11)).epsilon(1e-10));  // psi(3.5) - psi(6.5)
  CHECK(t.of_pair({"b"}, {"x"})[1] ==
        Approx(std::exp(half + 2 - (1 + .5 - gamma))).epsilon(1e-10));  // psi(1.5) - psi(3)
}

TEST_CASE("words with the same beginning or a similar spelling share counts") {
  const std::vector<Pair> houses = {{.source = {"houses"}, .target = {"maisons"}, .gold = {}, .tags = {}},
                                    {.source = {"tom"}, .target = {"dort"}, .gold = {}, .tags = {}}};
  TranslationTable t(houses, &Pair::source, &Pair::target, {.alpha = .01, .prefix = 1, .identity = .1, .letters = 4});
  CHECK(t.of_pair({"house"}, {"maison"})[1] == 1e-7);  // nothing is counted yet
  t.maximise(std::vector<double>(t.cells().cells(), 1));
  // Both words are unseen: c(s) = 1, and 1/2 for one word more.
  const double maison = t.of_pair({"house"}, {"maison"})[1];
  CHECK(maison == Approx(.5 / 1.1));
  CHECK(t.of_pair({"house"}, {"dormir"})[1] == 1e-7);
  CHECK(t.of_pair({"paris"}, {"paris"})[1] == Approx(.1 / 1.1));
  CHECK(t.of_pair({"tom"}, {"tom"})[1] == Approx(.1 / 2.1));  // tom was seen once, with another word
  CHECK(t.of_pair({"paris"}, {"paris"})[0] == 1e-7);          // the empty word
  CHECK(prefix_of("été", 2) == "ét");
  const TranslationTable no_letters(houses, &Pair::source, &Pair::target, {.prefix = 1, .identity = .1, .letters = 0});
  CHECK(no_letters.of_pair({"house"}, {"maison"})[1] == 1e-7);
  CHECK(no_letters.of_pair({"paris"}, {"paris"})[1] == Approx(.1 / 1.1));
}

TEST_CASE("the similarity of spelling ignores case and diacritics") {
  const auto similarity = [](const char* e, const char* f) { return spelling_similarity(folded(e), folded(f)); };
  CHECK(similarity("Élève", "eleve") == 1);
  CHECK(similarity("parlement", "parliament") == Approx(1 - 2 * 2. / 10));  // e is replaced by i, and a is inserted
  CHECK(similarity("president", "présidente") == Approx(1 - 2 * 1. / 10));
  CHECK(similarity("maison", "house") == 0);
  CHECK(similarity("cat", "cats") == 0);  // the words are too short
  CHECK(similarity("5", "5") == 1);
  CHECK(similarity("abcd", "abcdefgh") == 0);
  CHECK(folded("Caf\xE9s") == U"Caf\uFFFDs");  // the word is not valid UTF-8
}

TEST_CASE("leaving a pair out subtracts its counts") {
  // "a" occurs with "x" in both pairs, and with "y" only in the first pair.
  const std::vector<Pair> both = {{.source = {"a"}, .target = {"x", "y"}, .gold = {}, .tags = {}},
                                  {.source = {"a"}, .target = {"x"}, .gold = {}, .tags = {}}};
  TranslationTable t(both, &Pair::source, &Pair::target, {.alpha = 0, .prefix = 0, .identity = 0, .letters = 0});
  std::vector<double> counts(t.cells().cells(), 0);
  const Id a = t.source().id("a");
  const auto cell = [&](Id f, const char* e) { return t.cells().find(f, t.target().id(e)); };
  counts[cell(a, "x")] = 1.5;  // .7 from the first pair, .8 from the second
  counts[cell(a, "y")] = .6;
  const std::vector<Cell> cells = {cell(empty_word, "x"), cell(a, "x"), cell(empty_word, "y"), cell(a, "y")};
  t.maximise(counts);
  const std::vector<double> left = t.leave_one_out({empty_word, a}, cells, std::vector<float>{0, .7f, 0, .6f});
  CHECK(left[1] == Approx(1));  // .8 of .8 remain
  CHECK(left[3] == 1e-7);       // no other pair supports this translation
  CHECK(t.of_pair({"a"}, {"y"})[1] == Approx(.6 / 2.1));
}

TEST_CASE("a lexicon has no word whose most probable translation is spelt like a special word") {
  const std::vector<Pair> both = {{.source = {"a"}, .target = {"<unk>"}, .gold = {}, .tags = {}},
                                  {.source = {"b"}, .target = {"x"}, .gold = {}, .tags = {}}};
  TranslationTable t(both, &Pair::source, &Pair::target, {.alpha = 0, .prefix = 0, .identity = 0, .letters = 0});
  t.maximise(std::vector<double>(t.cells().cells(), 1));
  CHECK(format_lexicon(t.lexicon()) == "b\tx\t1.000000\n");
}

TEST_CASE("a table gives its lexicon and its text") {
  TranslationTable t = table({.alpha = 0, .prefix = 0, .identity = 0, .letters = 0});
  t.maximise(counts(t));
  CHECK(format_lexicon(t.lexicon()) == "a\tx\t0.600000\nb\tx\t0.500000\n");
  CHECK(t.text(.25) == "\ta\t0.333333\n\tx\t0.333333\n\ty\t0.333333\na\tx\t0.600000\nb\tx\t0.500000\nb\ty\t0.500000\n");
}
