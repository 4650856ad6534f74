// Our metrics beside plain-Python scorers that were written from the definitions (score_*.py), and beside hand counts.
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "autograd/storage/random.h"
#include "data/metrics/aer.h"
#include "data/metrics/bleu.h"
#include "data/metrics/chrf.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"
#include "tests/folders.h"

using namespace data;

namespace {

struct Segment {
  std::string hypothesis;
  std::vector<std::string> references;
};

Bleu bleu_of(const std::vector<Segment>& segments) {
  Bleu bleu;
  for (const Segment& s : segments) {
    std::vector<Tokens> references;
    for (const std::string& text : s.references) references.push_back(split_words(text));
    bleu.add(split_words(s.hypothesis), references);
  }
  return bleu;
}

Chrf chrf_of(const std::vector<Segment>& segments) {
  Chrf chrf;
  for (const Segment& s : segments) chrf.add(s.hypothesis, s.references);
  return chrf;
}

// The numbers that tests/data/metrics/SCRIPT prints for a file.
std::vector<double> python(const std::string& script, const std::string& path) {
  std::istringstream output(testing::output_of(testing::python() + " " + testing::source_folder() +
                                               "/tests/data/metrics/" + script + " " + path));
  std::vector<double> numbers;
  for (double x = 0; output >> x;) numbers.push_back(x);
  return numbers;
}

void check_against_python(const std::vector<Segment>& segments) {
  const TemporaryFolder folder;
  std::string lines;
  for (const Segment& s : segments) {
    lines += nlohmann::json{{"hypothesis", s.hypothesis}, {"references", s.references}}.dump() + "\n";
  }
  const std::string path = folder.file("segments", lines);
  const Bleu bleu = bleu_of(segments);
  const auto p = bleu.precisions();
  const std::vector<double> ours = {bleu.score(),
                                    p[0],
                                    p[1],
                                    p[2],
                                    p[3],
                                    bleu.brevity_penalty(),
                                    static_cast<double>(bleu.written),
                                    static_cast<double>(bleu.wanted)};
  const std::vector<double> theirs = python("score_bleu.py", path);
  REQUIRE(theirs.size() == ours.size());
  for (size_t i = 0; i < ours.size(); ++i) {
    INFO("BLEU figure " << i << ": " << ours[i] << " and " << theirs[i]);
    CHECK(std::abs(ours[i] - theirs[i]) < 1e-9);
  }
  const std::vector<double> chrf = python("score_chrf.py", path);
  REQUIRE(chrf.size() == 1);
  INFO("chrF " << chrf_of(segments).score() << " and " << chrf[0]);
  CHECK(std::abs(chrf_of(segments).score() - chrf[0]) < 1e-9);
}

const std::vector<std::string> sentences = {
    "je t' aime .",
    "la zone de contrôle international est fermée .",
    "cherchez -le dans le dictionnaire , s' il vous plaît .",
    "est -ce que la petite fille voit la voiture rouge ?",
    "nous n' avons pas encore mangé les pommes de terre que ma mère a achetées .",
    "où est l' ami de Paul ?",
    "oui",
    "il a dit qu' il viendrait « demain » , mais je ne le crois pas , car il ne vient jamais le lundi .",
};

// A worse version: words dropped, doubled, exchanged.
std::string spoiled(const std::string& sentence, autograd::Random& random) {
  Tokens words;
  for (const std::string& word : split_words(sentence)) {
    const size_t fate = random.below(10);
    if (fate == 0) continue;
    words.push_back(fate == 1 ? "le" : word);
    if (fate == 2) words.push_back(word);
  }
  if (words.size() > 1 && random.below(2) == 0) std::swap(words[0], words[words.size() - 1]);
  return join_words(words);
}

}  // namespace

TEST_CASE("BLEU and chrF agree with the Python scorers on spoiled sentences, one to three references") {
  autograd::Random random(7);
  for (size_t references = 1; references <= 3; ++references) {
    std::vector<Segment> segments;
    for (size_t i = 0; i < 60; ++i) {
      const std::string& sentence = sentences[random.below(sentences.size())];
      Segment segment{spoiled(sentence, random), {sentence}};
      while (segment.references.size() < references) segment.references.push_back(spoiled(sentence, random));
      segments.push_back(segment);
    }
    check_against_python(segments);
  }
}

TEST_CASE("BLEU and chrF agree with the Python scorers on random tokens, empty and short sentences") {
  autograd::Random random(8);
  const std::vector<std::string> alphabet = {"a", "b", "é", "漢字", "😀", "x,y"};
  const auto any = [&](size_t longest) {
    Tokens words;
    for (size_t n = random.below(longest + 1); n > 0; --n) words.push_back(alphabet[random.below(alphabet.size())]);
    return join_words(words);
  };
  for (const size_t longest : {1, 2, 3, 5, 12}) {
    for (int corpus = 0; corpus < 2; ++corpus) {
      std::vector<Segment> segments;
      for (size_t i = 0; i < 5; ++i) segments.push_back({any(longest), {any(longest), any(longest)}});
      check_against_python(segments);
    }
  }
  check_against_python({{"", {"a b"}}});
  check_against_python({{"", {""}}});
}

TEST_CASE("BLEU by hand") {
  // Papineni et al. 2002, example 2: a word counts at most as often as in one reference.
  const Bleu clipped =
      bleu_of({{"the the the the the the the", {"the cat is on the mat", "there is a cat on the mat"}}});
  CHECK(clipped.matches[0] == 2);
  CHECK(clipped.total[0] == 7);
  // 5 of 6 words, 3 of 5 pairs, 2 of 4 triples, 1 of 3 quadruples; lengths equal.
  const Bleu one = bleu_of({{"a b c d x f", {"a b c d e f"}}});
  CHECK(one.score() == Approx(100 * std::pow(5 / 6.0 * 3 / 5 * 2 / 4 * 1 / 3, .25)));
  CHECK(bleu_of({{"a b c d", {"a b c d e"}}}).brevity_penalty() == Approx(std::exp(1 - 5 / 4.0)));
  CHECK(bleu_of({{"a b c d", {"a b c d"}}}).score() == Approx(100));
  CHECK(bleu_of({{"a b c", {"a b c"}}}).score() == 0);  // no 4-gram was written, and the order is not shortened
  CHECK(bleu_of({{"a b c d", {"w x y z"}}}).score() == 0);
}

TEST_CASE("BLEU smooths orders without a match by halves, and takes the closest reference, the shorter of two") {
  const auto p = bleu_of({{"a b x c d y", {"a b z c d w"}}}).precisions();  // no triple, no quadruple
  CHECK(p[2] == Approx(100 * .5 / 4));
  CHECK(p[3] == Approx(100 * .25 / 3));
  CHECK(bleu_of({{"a b c", {"a b c d", "a b", "a b c d e"}}}).wanted == 2);
}

TEST_CASE("chrF by hand") {
  CHECK(chrf_of({{"abc def", {"ab cd ef"}}}).score() == Approx(100));  // spaces do not count
  // Characters: 1 of 2 on both sides; pairs: 0 of 1; nothing longer. P = R = (1/2 + 0) / 2.
  CHECK(chrf_of({{"ab", {"ac"}}}).score() == Approx(25));
  // Longer than the reference: orders 3-6 have no reference and do not count. P = (2/8 + 1/7) / 2, R = 1.
  const double precision = (2 / 8.0 + 1 / 7.0) / 2;
  CHECK(chrf_of({{"abcdefgh", {"ab"}}}).score() == Approx(100 * 5 * precision / (4 * precision + 1)));
  CHECK(chrf_of({{"é", {"e"}}}).score() == 0);
  CHECK(chrf_of({{"abc", {"xyz", "abc"}}}).score() == Approx(100));
}

TEST_CASE("a metric without a reference is misuse") {
  CHECK(testing::has(testing::misuse([] { bleu_of({{"a", {}}}); }), "no reference"));
  CHECK(testing::has(testing::misuse([] { chrf_of({{"a", {}}}); }), "no reference"));
}

TEST_CASE("AER, precision and recall agree with the Python scorer on random links") {
  const TemporaryFolder folder;
  autograd::Random random(9);
  for (int corpus = 0; corpus < 8; ++corpus) {
    AlignmentScore score;
    std::string lines;
    for (size_t pair = 0; pair < 20; ++pair) {
      const size_t source = 1 + random.below(6), target = 1 + random.below(6);
      Links links;
      Gold gold;
      for (size_t s = 0; s < source; ++s) {
        for (size_t t = 0; t < target; ++t) {
          if (random.below(3) == 0) links.push_back({s, t});
          const size_t kind = random.below(5);
          if (kind == 0) gold.sure.push_back({s, t});
          if (kind == 1) gold.possible.push_back({s, t});
        }
      }
      score.add(links, gold);
      lines += format_links(links) + '\t' + format_gold(gold) + '\n';
    }
    const std::vector<double> theirs = python("score_aer.py", folder.file("links", lines));
    REQUIRE(theirs.size() == 3);
    CHECK(std::abs(score.aer() - theirs[0]) < 1e-9);
    CHECK(std::abs(score.precision() - theirs[1]) < 1e-9);
    CHECK(std::abs(score.recall() - theirs[2]) < 1e-9);
  }
}
