// The program `links` learns word alignments from sentence pairs by expectation-maximisation, in both directions.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>

#include "apps/cli/command_line.h"
#include "apps/em/em_links.h"
#include "apps/inference/alignment_format.h"
#include "apps/inference/evaluation_report.h"
#include "apps/run/corpus_files.h"
#include "apps/terminal/output.h"
#include "apps/terminal/progress.h"
#include "apps/terminal/terminal.h"
#include "autograd/stopwatch.h"
#include "data/alignment/em/learnt_links.h"
#include "data/alignment/lexicon.h"
#include "data/alignment/symmetrisation.h"
#include "data/alignment/word_level.h"
#include "data/corpus/readers.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "data/io/shipped.h"
#include "data/text/characters.h"
#include "data/text/subwords.h"
#include "data/text/tokenizer.h"

using namespace softalign;

namespace {

using data::EmAligner;
using data::Pair;

struct LinksOptions : apps::EmLinkOptions {
  apps::CorpusFiles files;
  apps::UseColour colour = apps::UseColour::automatic;
  std::string align, out, lexicon, table;
  data::AlignmentFormat format = data::AlignmentFormat::pharaoh;
  apps::UnitOptions units;
};

struct ReadPairs {
  std::vector<Pair> pairs;
  data::TokenizerOptions rule;  // the rule by which they were split
  std::string note;             // as in data::Corpus
};

// A file with gold links is split at spaces and tabs, so that the gold links count its tokens. Any other file is split
// as the user asks. The function reads a file once, because the file may be a pipe.
ReadPairs read_as_asked(const apps::CorpusFiles& files, const LinksOptions& o) {
  const bool asked_for_words = o.tokenizer != data::Tokenization::none;
  data::TokenizerOptions rule{.scheme = asked_for_words ? data::Tokenization::spaces : data::Tokenization::none,
                              .lowercase = o.lowercase};
  const auto tokenize = [&rule](std::string_view text) { return data::tokenize(text, rule); };
  const data::CorpusOptions options{
      .source = tokenize, .target = tokenize, .first_word = files.one_based, .blank = data::Blank::keep};
  data::Corpus corpus = files.source.empty()
                            ? data::read_tsv(data::shipped(files.tsv), options)
                            : data::read_parallel(files.source, files.target, files.alignment, options);
  const auto has_gold = [](const Pair& pair) { return pair.gold.has_value(); };
  if (asked_for_words && std::none_of(corpus.pairs.begin(), corpus.pairs.end(), has_gold)) {
    rule.scheme = data::Tokenization::words;
    for (Pair& pair : corpus.pairs) {
      if (pair.blank) continue;
      pair.source = tokenize(pair.source_line);
      pair.target = tokenize(pair.target_line);
      pair.blank = pair.source.empty() || pair.target.empty();
    }
  }
  return {std::move(corpus.pairs), rule, std::move(corpus.note)};
}

// A corpus of this size takes long enough for a person to wonder. links then says what it does.
constexpr std::size_t slow_pairs = 20'000;
constexpr std::uintmax_t slow_bytes = 1'000'000;

// Returns true if reading the file takes seconds, or as long as another program needs to write to a pipe.
bool is_slow(const std::string& file) {
  std::error_code none;
  const std::string path = data::shipped(file);
  return !std::filesystem::is_regular_file(path, none) || std::filesystem::file_size(path, none) >= slow_bytes;
}

ReadPairs read_pairs(const apps::CorpusFiles& files, const LinksOptions& o) {
  check_memory_of_text(files);
  for (const std::string& file : {files.tsv, files.source, files.target})
    if (!file.empty() && is_slow(file)) apps::report("reading {}\n", file);
  ReadPairs read = read_as_asked(files, o);
  if (read.pairs.size() >= slow_pairs) apps::report("{} pairs read\n", apps::format_count(read.pairs.size()));
  apps::report("{}", read.note);
  return read;
}

// Aligned has the alignments of one pair by both models.
struct Aligned {
  data::Record record;  // its matrix and links come from the forward model
  data::Matrix backward;
  bool left_alone = false;  // the record has neither rows nor links

  data::Links links(const data::JointRule& rule) const {
    return joint_links(rule, record.weights.matrix, backward, record.source.size(), record.target.size());
  }
};

// Returns true if a pair gets no links, because a side is blank or the pair is too long. If the pair is too long, the
// function prints a note.
bool is_left_alone(const Pair& pair) {
  if (pair.blank || !EmAligner::too_long(pair)) return pair.blank;
  apps::report(
      "note: line {}: the pair gets no links, because it has {} times {} possible links and the limit is {} (about "
      "3,000 words per side). Split the pair into sentences.\n",
      pair.line, pair.source.size(), pair.target.size(), EmAligner::most_cells);
  return true;
}

Aligned aligned(EmAligner::BidirectionalPosteriors both, const Pair& pair, std::size_t id) {
  Aligned result;
  result.record = apps::posterior_record(id);
  result.left_alone = is_left_alone(pair);
  if (result.left_alone) result.record.source_eos = false;
  if (result.left_alone) return result;  // no tokens, no rows, no links
  result.record.source = pair.source;
  result.record.target = pair.target;
  result.record.gold = pair.gold;
  result.record.weights.matrix = std::move(both.forward);
  result.backward = std::move(both.backward);
  complete(result.record);
  return result;
}

// Returns the line and the positions of its tokens. Returns nothing if the output needs no positions, or if the tokens
// are the words of the line. JSON records always have positions.
std::optional<data::Original> original(const std::string& line, const data::Tokens& tokens,
                                       const data::TokenizerOptions& rule, const LinksOptions& o) {
  if (o.format != data::AlignmentFormat::jsonl &&
      (!counts_words(o.units, o.format) || data::split_words(line) == tokens))
    return std::nullopt;
  return data::placed_in(line, tokens, rule);
}

// Aligns all pairs. `learnt` is true if the aligner has learned from these pairs. The alignments go to `file`, or to
// standard output if there is no file.
void align_all(const data::CorpusAligner& aligner, const ReadPairs& read, bool learnt, const LinksOptions& o,
               std::optional<data::OutputFile>& file) {
  const std::vector<Pair>& pairs = read.pairs;
  const apps::HeatmapStyle style = apps::screen_style(o.colour, !file);
  apps::AlignmentOutput output;
  output.format = o.format;
  output.units = o.units;
  apps::AlignmentText text(output, style);
  const auto write = [&](const std::string& part) {
    if (file) file->write(part);
    else apps::print_alignment(part, o.format);
  };
  apps::JointScores scores(o.rule.threshold);
  const auto use = [&](Aligned pair, std::size_t id) {
    if (!pair.left_alone) scores.add(pairs[id], pair.record.weights.matrix, pair.backward);
    if (apps::holds_links(o.format) && !pair.left_alone) pair.record.links = pair.links(o.rule);
    if (pair.left_alone) {
      pair.record.source_original = data::Original{pairs[id].source_line, {}};
      pair.record.target_original = data::Original{pairs[id].target_line, {}};
    } else {
      pair.record.source_original = original(pairs[id].source_line, pairs[id].source, read.rule, o);
      pair.record.target_original = original(pairs[id].target_line, pairs[id].target, read.rule, o);
    }
    write(text.add(pair.record));
  };
  constexpr std::size_t block = 256;
  constexpr double interval = 5;  // seconds between two lines about the progress
  const autograd::Stopwatch watch;
  double next = interval;
  if (pairs.size() >= slow_pairs)
    apps::report("aligning {} pairs{}\n", apps::format_count(pairs.size()), file ? fmt::format(" into {}", o.out) : "");
  for (std::size_t begin = 0; begin < pairs.size(); begin += block) {
    const std::size_t end = std::min(begin + block, pairs.size());
    std::vector<EmAligner::BidirectionalPosteriors> both(end - begin);
    const auto keep = [&](std::size_t id, EmAligner::BidirectionalPosteriors found) {
      both[id - begin] = std::move(found);
    };
    if (learnt) aligner.align(pairs, begin, end, keep);
    else aligner.align_others(pairs, begin, end, keep);
    for (std::size_t id = begin; id < end; ++id) use(aligned(std::move(both[id - begin]), pairs[id], id), id);
    if (file && watch.seconds() >= next) {
      next = watch.seconds() + interval;
      apps::report("{} of {} pairs aligned\n", apps::format_count(end), apps::format_count(pairs.size()));
    }
  }
  write(text.rest());
  text.finish();
  if (file) file->finish();
  // Readers of the records expect the best links of the matrix, as in every other record.
  if (o.format == data::AlignmentFormat::jsonl)
    apps::report(
        "note: `matrix` and `links` of the records are of the forward direction: `links` has the links of --rule "
        "forward, and not of --rule agreement. For the links of any --rule, write a file that ends in .pharaoh or "
        ".tsv\n");
  const std::string table = scores.table(apps::holds_links(o.format) ? autograd::name_of(o.rule.kind)
                                                                     : "posteriors of the forward direction");
  if (file) apps::print("{}", table);
  else apps::report("{}", table);
}

void declare(apps::CommandLine& line, LinksOptions& o) {
  line.add_here(table(o.files));
  line.group("Corpus");
  line.add_here("align", &o.align, "TSV file of the pairs to align. Default: the pairs from which links learns");
  declare(line, static_cast<apps::EmLinkOptions&>(o));
  line.group("Output");
  line.add_here("format", &o.format,
                "output format. `align --help` explains the formats. In formats with weights, the weights are the "
                "probabilities of links in the forward direction");
  declare(line, o.units);
  line.add_here("color", &o.colour, apps::color_help);
  line.add_here("out", &o.out,
                "output file. An old file is replaced only when the new one is complete. Default: standard output");
  line.add_here("lexicon", &o.lexicon,
                "TSV file to which links writes each source word and its most probable translation");
  line.add_here("table", &o.table,
                "TSV file to which links writes all translation probabilities t(target | source) of at least 0.001");
}

// Throws UsageError for options that do not fit each other.
void check(const apps::CommandLine& line, LinksOptions& o) {
  check(o.files);
  apps::choose_format(o.format, o.out, line.given("format"));
  check(o.units, o.format);
  check_tokens(o.units, o.format, o.tokenizer == data::Tokenization::none, "what --tokenizer words makes of the words");
  check(line, static_cast<const apps::EmLinkOptions&>(o));
  if (!apps::holds_links(o.format) && line.given("rule")) {
    throw apps::UsageError(
        fmt::format("--rule has no effect, because --format {} contains the posteriors of the forward direction. "
                    "Remove --rule, or use --format pharaoh, tsv, hard or fairseq",
                    autograd::name_of(o.format)));
  }
}

void learn_and_align(const LinksOptions& o) {
  const ReadPairs read = read_pairs(o.files, o);
  apps::report("{}{}", data::note_of_segments(read.pairs),
               data::note_of_unspaced_text(read.pairs, "put spaces between its words first"));
  std::optional<data::OutputFile> out, lexicon, table;
  if (!o.out.empty()) out.emplace(o.out);
  if (!o.lexicon.empty()) lexicon.emplace(o.lexicon);
  if (!o.table.empty()) table.emplace(o.table);
  const data::CorpusAligner aligner = learn(read.pairs, o);
  if (lexicon) lexicon->write_all(format_lexicon(aligner.em().table().lexicon()));
  if (table) table->write_all(aligner.em().table().text(0.001));
  if (o.align.empty()) {
    align_all(aligner, read, true, o, out);
  } else {
    apps::CorpusFiles others;
    others.tsv = o.align;
    others.one_based = o.files.one_based;
    align_all(aligner, read_pairs(others, o), false, o, out);
  }
}

}  // namespace

int main(int argc, char** argv) {
  apps::CommonOptions common;
  LinksOptions o;
  apps::CommandLine line(
      "links",
      "Aligns the words of sentence pairs without a trained model. It estimates translation probabilities t(target | "
      "source) and positions from the pairs by expectation-maximisation (EM), in both directions.",
      {"links --data data/toy/train.tsv --out links.txt",
       "links --data data/toy/train.tsv --align data/toy/test.tsv --format plot | less -R",
       "links --source train.en --target train.fr --rule grow-diag-final-and > links.txt",
       "links --data my/train.tsv --format tsv --out taught/train.tsv    for train --guided-alignment",
       "links --data my/train.tsv --lexicon lexicon.tsv --out links.txt    for translate --lexicon"},
      common);
  line.pass_over(apps::training_names());
  declare(line, o);
  return line.run(argc, argv, [&] {
    check(line, o);
    learn_and_align(o);
    return 0;
  });
}
