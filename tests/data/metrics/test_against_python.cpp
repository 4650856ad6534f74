// Compares our metrics with plain Python scorers, which were written from the definitions (score_*.py).
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "autograd/random.h"
#include "data/corpus/pharaoh.h"
#include "data/metrics/aer.h"
#include "data/metrics/bleu.h"
#include "data/metrics/chrf.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"
#include "tests/folders.h"

using namespace softalign;
using namespace data;

namespace {

struct Segment {
  std::string hypothesis;
  std::vector<std::string> references;
};
using Segments = std::vector<Segment>;
using Figures = std::vector<double>;

Figures bleu_of(const Segments& segments) {
  Bleu bleu;
  for (const Segment& s : segments) {
    std::vector<Tokens> references;
    for (const std::string& text : s.references) references.push_back(split_words(text));
    bleu.add(split_words(s.hypothesis), references);
  }
  Figures figures{bleu.score()};
  for (const double p : bleu.precisions()) figures.push_back(p);
  figures.insert(figures.end(), {bleu.brevity_penalty(), double(bleu.written), double(bleu.wanted)});
  return figures;
}

Figures chrf_of(const Segments& segments) {
  Chrf chrf;
  for (const Segment& s : segments) chrf.add(s.hypothesis, s.references);
  return {chrf.score()};
}

// Compares our figures with those that tests/data/metrics/SCRIPT prints for the corpora. A corpus is the text that the
// script reads.
void check_against(const std::string& script, const std::vector<std::string>& corpora,
                   const std::vector<Figures>& ours) {
  const TemporaryFolder folder;
  std::string text;
  for (const std::string& lines : corpora) text += (text.empty() ? "" : "\n") + lines;
  std::istringstream output(testing::output_of(testing::python() + " -B " + testing::source_folder() +
                                               "/tests/data/metrics/" + script + " " + folder.file("corpora", text)));
  std::size_t corpus = 0;
  for (std::string line; std::getline(output, line); ++corpus) {
    INFO(script << "\n" << corpora.at(corpus) << line);
    std::istringstream numbers(line);
    Figures theirs;
    for (double x = 0; numbers >> x;) theirs.push_back(x);
    REQUIRE(theirs.size() == ours[corpus].size());
    for (std::size_t i = 0; i < theirs.size(); ++i) CHECK(std::abs(ours[corpus][i] - theirs[i]) < 1e-9);
  }
  REQUIRE(corpus == ours.size());
}

void check_texts(const std::vector<Segments>& corpora) {
  std::vector<std::string> texts;
  std::vector<Figures> bleu, chrf;
  for (const Segments& segments : corpora) {
    texts.emplace_back();
    for (const Segment& s : segments)
      texts.back() += nlohmann::json{{"hypothesis", s.hypothesis}, {"references", s.references}}.dump() + "\n";
    bleu.push_back(bleu_of(segments));
    chrf.push_back(chrf_of(segments));
  }
  check_against("score_bleu.py", texts, bleu);
  check_against("score_chrf.py", texts, chrf);
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

// A worse version of the sentence: words are dropped, doubled or exchanged.
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

constexpr size_t cases = 1000;

}  // namespace

TEST_CASE("BLEU and chrF agree with the Python scorers on spoiled sentences, one to three references") {
  autograd::Random random(7);
  std::vector<Segments> corpora;
  for (size_t references = 1; references <= 3; ++references) {
    Segments segments;
    for (size_t i = 0; i < 60; ++i) {
      const std::string& sentence = sentences[random.below(sentences.size())];
      Segment segment{spoiled(sentence, random), {sentence}};
      while (segment.references.size() < references) segment.references.push_back(spoiled(sentence, random));
      segments.push_back(segment);
    }
    corpora.push_back(segments);
  }
  check_texts(corpora);
}

TEST_CASE("BLEU and chrF agree with the Python scorers on a thousand corpora of random tokens, empty and short ones") {
  autograd::Random random(8);
  const std::vector<std::string> alphabet = {"a", "b", "é", "漢字", "😀", "x,y", "e\u0301", "\u00A0", "\u3000"};
  const auto any = [&](size_t longest) {
    Tokens words;
    const size_t kinds = 1 + random.below(alphabet.size());  // with few kinds of words, more n-grams match
    for (size_t n = random.below(longest + 1); n > 0; --n) words.push_back(alphabet[random.below(kinds)]);
    return join_words(words);
  };
  std::vector<Segments> corpora{{{"", {"a b"}}}, {{"", {""}}}};
  while (corpora.size() < cases) {
    const size_t longest = 1 + random.below(15);
    Segments segments(1 + random.below(4));
    for (Segment& s : segments) {
      s.hypothesis = any(longest);
      s.references.resize(1 + random.below(3));
      for (std::string& reference : s.references) reference = any(longest);
    }
    corpora.push_back(segments);
  }
  check_texts(corpora);
}

TEST_CASE("AER, precision and recall agree with the Python scorer on a thousand corpora of random links") {
  autograd::Random random(9);
  std::vector<std::string> corpora;
  std::vector<Figures> ours;
  while (corpora.size() < cases) {
    AlignmentScore score;
    std::string lines;
    // About one link in `rare` is kept; if links are rare, some corpora have none.
    const size_t rare = 1 + random.below(6);
    for (size_t pair = random.below(8); pair < 8; ++pair) {
      const size_t source = 1 + random.below(6), target = 1 + random.below(6);
      Links links;
      Gold gold;
      for (size_t s = 0; s < source; ++s) {
        for (size_t t = 0; t < target; ++t) {
          if (random.below(rare * rare) == 0) links.push_back({s, t});
          const size_t kind = random.below(2 * rare * rare);
          if (kind == 0) gold.sure.push_back({s, t});
          if (kind == 1) gold.possible.push_back({s, t});
        }
      }
      score.add(links, gold);
      lines += format_links(links) + '\t' + format_gold(gold) + '\n';
    }
    corpora.push_back(lines);
    ours.push_back({score.aer(), score.precision(), score.recall()});
  }
  check_against("score_aer.py", corpora, ours);
}

TEST_CASE("13a splits text as the regular expressions of mteval-v13a do") {
  const std::vector<std::string> parts = {
      "a", "Le", "1", "23", ".",  ",", "-",  "'",  "\"",     "(",      ")",      "/",        ":",         "?",   "!",
      " ", "  ", "é", "学", "、", "€", "«",  "\t", "\u00a0", "&quot;", "&",      "&amp;lt;", "<skipped>", "...", "{",
      "~", "_",  "$", "@",  "[",  "`", "\\", "^",  "%",      "\u200b", "\u3000", "+",        "*",         "#"};
  autograd::Random random(5);
  const TemporaryFolder folder;
  std::string file;
  std::vector<std::string> lines = {"", " ", "It's 3,000.5!", "a..b", "1,000-2.", ".5 5."};
  for (int i = 0; i < 2000; ++i) {
    std::string line;
    for (std::size_t n = random.below(12); n > 0; --n) line += parts[random.below(parts.size())];
    lines.push_back(line);
  }
  for (const std::string& line : lines) file += nlohmann::json(line).dump() + "\n";
  std::istringstream output(testing::output_of(testing::python() + " -B " + testing::source_folder() +
                                               "/tests/data/metrics/tokenize_13a.py " + folder.file("lines", file)));
  std::size_t i = 0;
  for (std::string theirs; std::getline(output, theirs); ++i) {
    INFO(lines.at(i));
    CHECK(nlohmann::json(tokenize_13a(lines.at(i))) == nlohmann::json::parse(theirs));
  }
  CHECK(i == lines.size());
}

// This is the example of sacreBLEU's README.
TEST_CASE("BLEU over 13a equals the published value of sacreBLEU") {
  const std::vector<Segment> segments = {
      {"The dog bit the man.", {"The dog bit the man.", "The dog had bit the man."}},
      {"It wasn't surprising.", {"It was not unexpected.", "No one was surprised."}},
      {"The man had just bitten him.", {"The man bit him first.", "The man had bitten the dog."}}};
  Bleu bleu;
  for (const Segment& s : segments)
    bleu.add(tokenize_13a(s.hypothesis), {tokenize_13a(s.references[0]), tokenize_13a(s.references[1])});
  CHECK(bleu.score() == Approx(48.530827009929865).epsilon(1e-12));
}
