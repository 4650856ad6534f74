// links: word alignments learnt from the pairs alone by expectation-maximisation, in both directions.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>

#include "apps/cli/command_line.h"
#include "apps/inference/alignment_format.h"
#include "apps/run/corpus_files.h"
#include "data/alignment/argmax_links.h"
#include "data/alignment/em/em_aligner.h"
#include "data/alignment/formats/formats.h"
#include "data/alignment/lexicon.h"
#include "data/alignment/link_rules.h"
#include "data/alignment/symmetrise.h"
#include "data/io/files.h"
#include "data/metrics/aer.h"
#include "data/text/tokenizer.h"

namespace {

using data::EmAligner;
using data::Links;
using data::Pair;

struct LinksOptions {
  apps::CorpusFiles files;
  std::string align, tokenizer = "words", rule = "agreement", format = "pharaoh", colour = "auto", out, lexicon, table;
  bool lowercase = true;
  std::size_t max_length = 100;
  double threshold = 0.25;
  data::EmOptions em;
};

models::Table em_table(data::EmOptions& o) {
  return {
      {"diagonal-rounds", &o.diagonal_rounds, "rounds of EM with a prior for the diagonal (Dyer et al. 2013)",
       apps::between(1, 1000)},
      {"jump-rounds", &o.jump_rounds, "then rounds of the hidden Markov model (Vogel et al. 1996); 0: none",
       apps::between(0, 1000)},
      {"diagonal-p0", &o.diagonal_p0, "probability of the empty word, with the diagonal", apps::between(1e-6, 0.99)},
      {"jump-p0", &o.jump_p0, "the same with jumps", apps::between(1e-6, 0.99)},
      {"alpha", &o.prior.alpha, "Dirichlet prior of each translation; 0: none, maximum likelihood", apps::at_least(0)},
      {"prefix", &o.prior.prefix, "pseudo-count shared by translations that begin as those of like words do",
       apps::at_least(0)},
      {"prefix-letters", &o.prior.letters, "letters of such a beginning; 0: no such share", apps::between(0, 100)},
      {"identity", &o.prior.identity, "pseudo-count of a translation spelt like the word", apps::at_least(0)},
  };
}

const std::vector<std::string>& rules() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = {"agreement", "forward", "backward"};
    const auto& more = data::known_symmetrisations();
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }();
  return names;
}

// A file with gold links is split at white space, as they count its words; any other as asked.
std::vector<Pair> read_pairs(const apps::CorpusFiles& files, const LinksOptions& o) {
  const auto read = [&](data::Tokenization scheme) {
    const data::TokenizerOptions rule{.scheme = scheme, .lowercase = o.lowercase};
    const auto tokenize = [rule](std::string_view text) { return data::tokenize(text, rule); };
    const data::CorpusOptions options{.source = tokenize, .target = tokenize, .first_word = files.one_based};
    if (files.source.empty()) return data::read_tsv(files.tsv, options).pairs;
    return data::read_parallel(files.source, files.target, files.alignment, options).pairs;
  };
  if (o.tokenizer == "none") return read(data::Tokenization::none);
  std::vector<Pair> pairs = read(data::Tokenization::spaces);
  if (std::any_of(pairs.begin(), pairs.end(), [](const Pair& pair) { return pair.gold.has_value(); })) return pairs;
  return read(data::Tokenization::words);
}

struct BothWays {
  EmAligner forward, backward;
};

BothWays learn(const std::vector<Pair>& pairs, const LinksOptions& o) {
  std::vector<Pair> short_pairs;
  std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(short_pairs),
               [&](const Pair& pair) { return std::max(pair.source.size(), pair.target.size()) <= o.max_length; });
  if (short_pairs.empty()) {
    throw std::runtime_error(fmt::format("all {} pairs are longer than {} words; raise the limit (--max-length)",
                                         pairs.size(), o.max_length));
  }
  const auto begin = std::chrono::steady_clock::now();
  BothWays both{EmAligner(short_pairs, &Pair::source, &Pair::target, o.em),
                EmAligner(short_pairs, &Pair::target, &Pair::source, o.em)};
  fmt::print(stderr, "{} pairs{}; perplexity of the targets given the sources, and of the sources given the targets\n",
             short_pairs.size(),
             short_pairs.size() == pairs.size() ? ""
                                                : fmt::format(" ({} of more than {} words left out)",
                                                              pairs.size() - short_pairs.size(), o.max_length));
  fmt::print(stderr, "{:>5}  {:8}  {:>10} {:>10}  {:>15}  {:>15}  {:>7}\n", "round", "prior", "perplexity", "backward",
             "from no word, %", "lambda", "seconds");
  for (std::size_t round = 1; round <= both.forward.rounds(); ++round) {
    const data::EmRound f = both.forward.round(), b = both.backward.round();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    fmt::print(stderr, "{:>5}  {:8}  {:>10.3f} {:>10.3f}  {:>7.1f} {:>7.1f}  {:>7.2f} {:>7.2f}  {:>7.1f}\n", round,
               f.jumps ? "jumps" : "diagonal", f.perplexity(), b.perplexity(), 100 * f.empty, 100 * b.empty, f.lambda,
               b.lambda, seconds.count());
  }
  return both;
}

// What both models say of one pair.
struct Aligned {
  data::Record record;  // its matrix and links are the forward model's
  data::Matrix backward;

  Links links(const std::string& rule, double threshold) const {
    if (rule == "forward") return record.links;
    if (rule == "agreement") return data::agreeing_links(record.matrix, backward, threshold);
    const std::size_t S = record.source.size(), T = record.target.size();
    const Links turned = data::transposed(data::argmax_links(backward, T, S));
    return rule == "backward" ? turned : data::symmetrise(rule, record.links, turned, S, T);
  }
};

Aligned align(const BothWays& both, const Pair& pair, std::size_t id) {
  Aligned result;
  result.record.id = id;
  result.record.source = pair.source;
  result.record.target = pair.target;
  result.record.gold = pair.gold;
  result.record.target_eos = false;  // the empty word stands where </s> does, and nothing is said of the target's
  result.record.matrix = both.forward.posteriors(pair.source, pair.target);
  result.backward = both.backward.posteriors(pair.target, pair.source);
  complete(result.record);
  return result;
}

std::string describe(const std::map<std::string, data::AlignmentScore>& scores) {
  std::string text = fmt::format("{:20} {:>6} {:>6} {:>6}   percent\n", "", "AER", "prec.", "recall");
  for (const std::string& rule : rules()) {
    const data::AlignmentScore& score = scores.at(rule);
    text += fmt::format("{:20} {:6.1f} {:6.1f} {:6.1f}\n", rule, 100 * score.aer(), 100 * score.precision(),
                        100 * score.recall());
  }
  return text;
}

bool holds_weights(const std::string& format) { return apps::is_picture(format) || data::format_named(format).weights; }

void align_all(const BothWays& both, const std::vector<Pair>& pairs, const LinksOptions& o) {
  std::optional<data::FileWriter> file;
  if (!o.out.empty()) file.emplace(o.out);
  const apps::HeatmapStyle style = apps::screen_style(o.colour, !file);
  apps::AlignmentOutput output;
  output.format = o.format;
  apps::AlignmentText text(output, style);
  const auto write = [&](const std::string& part) {
    if (file) file->write(part);
    else std::cout << part;
  };
  std::map<std::string, data::AlignmentScore> scores;
  for (std::size_t id = 0; id < pairs.size(); ++id) {
    Aligned aligned = align(both, pairs[id], id);
    if (pairs[id].gold) {
      for (const std::string& rule : rules()) scores[rule].add(aligned.links(rule, o.threshold), *pairs[id].gold);
    }
    if (!holds_weights(o.format)) aligned.record.links = aligned.links(o.rule, o.threshold);
    write(text.add(aligned.record));
  }
  write(text.rest());
  if (file) file->finish();
  if (!scores.empty()) fmt::print(file ? stdout : stderr, "{}", describe(scores));
}

}  // namespace

int main(int argc, char** argv) {
  apps::CommonOptions common;
  LinksOptions o;
  apps::CommandLine line(
      "links",
      "Aligns the words of sentence pairs by what the pairs alone teach: t(target | source) and where "
      "words come from, by expectation-maximisation in both directions.",
      {"links --data data/toy/train.tsv --out links.txt",
       "links --data data/toy/train.tsv --align data/toy/test.tsv --format plot | less -R",
       "links --source train.en --target train.fr --rule grow-diag-final-and > links.txt",
       "links --data my/train.tsv --format tsv --out taught/train.tsv    for train --guided-alignment",
       "links --data my/train.tsv --lexicon lexicon.tsv --out links.txt    for translate --lexicon"},
      common);
  line.pass_over(apps::training_names());
  line.add_here(table(o.files));
  line.group("Corpus");
  line.add_here("align", &o.align, "TSV file of the pairs to align, in place of those that are learnt from");
  line.add(
      "tokenizer", &o.tokenizer,
      "words: split off punctuation and clitics, but of a file with gold links split at white space; none: split at "
      "white space",
      apps::one_of({"words", "none"}));
  line.add("lowercase", &o.lowercase, "bring text to lower case (not with tokenizer none)");
  line.add("max-length", &o.max_length, "learn from pairs of at most so many words a side", apps::at_least(1));
  line.group("Learning");
  line.add(em_table(o.em));
  line.group("Links");
  line.add("rule", &o.rule,
           "which links: agreement: the root of both directions' posteriors is at least the threshold; forward, "
           "backward: one direction's best; the others join these (Koehn et al. 2003)",
           apps::one_of(rules()));
  line.add("threshold", &o.threshold, "of rule agreement", apps::between(0, 1));
  line.group("Output");
  line.add_here("format", &o.format, "as of align; those with weights hold the forward posteriors",
                apps::one_of(apps::alignment_formats()));
  line.add_here("color", &o.colour, "colours of plot", apps::one_of({"auto", "always", "never"}));
  line.add_here("out", &o.out, "file to write, whole or not at all; standard output if not given");
  line.add_here("lexicon", &o.lexicon, "write the most probable translation of each source word");
  line.add_here("table", &o.table, "write all t(target | source) of .001 and more");

  return line.run(argc, argv, [&] {
    check(o.files);
    if (holds_weights(o.format) && line.given("rule")) {
      throw apps::UsageError(
          fmt::format("--format {} holds the forward posteriors with their best links; leave --rule out, or choose "
                      "a format of links (pharaoh, tsv, hard, fairseq)",
                      o.format));
    }
    const std::vector<Pair> pairs = read_pairs(o.files, o);
    const BothWays both = learn(pairs, o);
    if (!o.lexicon.empty()) data::write_file(o.lexicon, format_lexicon(both.forward.table().lexicon()));
    if (!o.table.empty()) data::write_file(o.table, both.forward.table().text(0.001));
    if (o.align.empty()) {
      align_all(both, pairs, o);
    } else {
      apps::CorpusFiles others;
      others.tsv = o.align;
      others.one_based = o.files.one_based;
      align_all(both, read_pairs(others, o), o);
    }
    return 0;
  });
}
