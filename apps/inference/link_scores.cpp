#include "apps/inference/link_scores.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "apps/inference/alignment_format.h"
#include "apps/inference/evaluation_report.h"
#include "apps/run/run_folder.h"
#include "apps/terminal/output.h"
#include "apps/terminal/progress.h"
#include "apps/terminal/terminal.h"
#include "data/alignment/formats/format_by_content.h"
#include "data/alignment/word_level.h"
#include "data/corpus/naacl.h"
#include "data/corpus/pharaoh.h"
#include "data/corpus/readers.h"
#include "data/io/commands.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "data/io/shipped.h"

namespace softalign::apps {

void declare(CommandLine& line, LinkFiles& files) {
  line.group("Links of a file");
  line.add_here("links", &files.links,
                "score the links in this file instead of a run. It has one alignment per line, for example 0-0 1-2, "
                "with positions from 0. Any aligner may have written it");
  line.add_here(
      "gold", &files.gold,
      "with --links: file with gold links. It has one line per alignment, 0-0 for a sure and 1?2 for a "
      "possible link, or any other format that --from knows, or the format of the NAACL shared task with one link per "
      "line (18 1 1 S: sentence, source, target, S or P, counted from 1). Default: the gold links in --data "
      "or --alignment");
  line.add_here("from", &files.from,
                "format of the file --links. Default: the format that the name or the content of the file shows",
                {.names = readable_formats()});
}

void check(const CommandLine& line, const LinkFiles& files, const CorpusFiles& texts) {
  if (files.links.empty()) {
    for (const char* name : {"gold", "from"})
      if (line.given(name))
        throw UsageError(
            fmt::format("--{} has an effect only with --links. To score a run, write gold links into "
                        "column 3 of --data, or use --alignment",
                        name));
    if (!line.given("run"))
      throw UsageError(fmt::format(
          "--run is required. Name the run folder to score, or a file of links: --links FILE --gold FILE. {}",
          advice_on_runs()));
    return check(texts);
  }
  // All other options of the program have no effect. The general options are not in line.given().
  const std::set<std::string> with_effect{"links",  "gold",      "from",      "data", "source",
                                          "target", "alignment", "one-based", "json"};
  for (const std::string& name : line.given())
    if (!with_effect.contains(name))
      throw UsageError(fmt::format("--{0} has no effect with --links, which scores a file. Remove --{0}", name));
  if (!files.gold.empty() && !texts.alignment.empty())
    throw UsageError("--gold and --alignment both name gold links. Remove one of them");
  if (is_given(texts)) check(texts);
}

namespace {

// Reads the pairs of --data, or of --source and --target. Returns no pairs if the user gives none of these options.
std::vector<data::Pair> read_pairs(const CorpusFiles& texts) {
  if (!is_given(texts)) return {};
  check_memory_of_text(texts);
  data::CorpusOptions rules;  // links count words between white space
  rules.first_word = texts.one_based;
  rules.blank = data::Blank::keep;
  data::Corpus corpus = texts.source.empty() ? data::read_tsv(data::shipped(texts.tsv), rules)
                                             : data::read_parallel(texts.source, texts.target, texts.alignment, rules);
  report("{}", corpus.note);
  return std::move(corpus.pairs);
}

// Aligned is one alignment of the file. `source_words` and `target_words` are any_words if the words are unknown.
struct Aligned {
  std::size_t source_words = data::any_words, target_words = data::any_words;
  data::Links links;
  std::optional<data::Gold> gold;
};

Aligned aligned(data::Record record) {
  record = data::over_original_words(std::move(record), data::NoLine::tokens_are_words);
  return {record.source.size(), record.target.size(), std::move(record.links), std::move(record.gold)};
}

std::vector<Aligned> read_links_without_words(const std::string& path, const std::vector<std::string>& lines) {
  std::vector<Aligned> all;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const data::Gold read =
        data::parse_gold(lines[i], data::any_words, data::any_words, fmt::format("{}:{}", path, i + 1));
    Aligned& one = all.emplace_back();
    one.links = read.sure;
    one.links.insert(one.links.end(), read.possible.begin(), read.possible.end());
  }
  return all;
}

// Throws data::Error if the file contains its sentences and these are not the given pairs.
void check_same_pairs(const std::string& path, const std::vector<Aligned>& found,
                      const std::vector<data::Pair>& pairs) {
  if (found.size() != pairs.size())
    throw data::Error(data::ErrorKind::bad_data,
                      fmt::format("{}: the file has {} alignments for {} sentence pairs. Give one alignment per pair",
                                  path, found.size(), pairs.size()));
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (found[i].source_words != pairs[i].source.size() || found[i].target_words != pairs[i].target.size())
      throw data::Error(
          data::ErrorKind::bad_data,
          fmt::format("{}: alignment {} has {} source and {} target words, but the pair has {} and {}. Give the "
                      "sentences of these alignments",
                      path, i + 1, found[i].source_words, found[i].target_words, pairs[i].source.size(),
                      pairs[i].target.size()));
}

// Returns the format of a file by its name or its content. Without a sign of another format, it is pharaoh.
const data::Format& format_of_file(const std::string& path, const std::vector<std::string>& lines) {
  std::optional<data::AlignmentFormat> format = format_by_ending(path);
  if (!format) format = data::format_by_content(lines);
  return data::format_of(format.value_or(data::AlignmentFormat::pharaoh));
}

// Reads the alignments of a file with this format. The links count from `first_word`.
std::vector<Aligned> read_alignments_of(const std::string& path, const data::Format& format,
                                        std::vector<std::string> lines, const std::vector<data::Pair>& pairs,
                                        std::size_t first_word = 0) {
  if (pairs.empty() && !format.words)
    throw UsageError(
        fmt::format("{}: the format {} does not contain all words. Add the sentences with --data FILE, or --source "
                    "FILE and --target FILE",
                    path, format.name()));
  std::vector<Aligned> found;
  for (data::Record& record :
       format.read({path, std::move(lines), format.words ? std::vector<data::Pair>{} : pairs, first_word}))
    found.push_back(aligned(std::move(record)));
  if (!pairs.empty() && format.words) check_same_pairs(path, found, pairs);
  return found;
}

std::vector<Aligned> read_links(const LinkFiles& files, const std::vector<data::Pair>& pairs) {
  std::vector<std::string> lines = data::read_lines(files.links);
  const data::Format& format = files.from ? data::format_of(*files.from) : format_of_file(files.links, lines);
  if (pairs.empty() && format.format == data::AlignmentFormat::pharaoh)
    return read_links_without_words(files.links, lines);
  return read_alignments_of(files.links, format, std::move(lines), pairs);
}

// Reads a corpus with gold links in column 3. A pair may have none.
std::vector<Aligned> read_gold_of_corpus(const std::string& path, bool one_based) {
  data::CorpusOptions rules;
  rules.first_word = one_based;
  rules.blank = data::Blank::keep;
  std::vector<Aligned> found;
  for (const data::Pair& pair : data::read_tsv(path, rules).pairs) {
    Aligned& one = found.emplace_back();
    one.source_words = pair.source.size(), one.target_words = pair.target.size();
    if (pair.gold) one.gold = gold_over_words(pair);
  }
  return found;
}

// Throws data::Error if a file of gold links does not have one `item` per alignment.
void check_count(const LinkFiles& files, std::size_t found, std::size_t alignments, const char* item) {
  if (found == alignments) return;
  throw data::Error(
      data::ErrorKind::bad_data,
      fmt::format("{}: the file has {} {}{}, but {} has {} alignment{}. Give one line of gold links per "
                  "alignment",
                  files.gold, found, item, found == 1 ? "" : "s", files.links, alignments, alignments == 1 ? "" : "s"));
}

// Throws data::Error if a pair of the gold file has other numbers of words than the alignment, so that both files have
// different sentences.
void check_same_size(const LinkFiles& files, std::size_t i, const Aligned& gold, const Aligned& found) {
  if (found.source_words == data::any_words || found.target_words == data::any_words) return;
  if (gold.source_words == found.source_words && gold.target_words == found.target_words) return;
  throw data::Error(
      data::ErrorKind::bad_data,
      fmt::format("{}: pair {} has {} source and {} target words, but in {} it has {} and {}. Give the gold "
                  "links of the same sentences",
                  files.gold, i + 1, gold.source_words, gold.target_words, files.links, found.source_words,
                  found.target_words));
}

// Sets the gold links from a file in a format of `convert` that is not pharaoh. Records may have gold links; otherwise
// their links are the sure gold links.
void read_gold_in_format(std::vector<Aligned>& all, const LinkFiles& files, const data::Format& format,
                         std::vector<std::string> lines, const std::vector<data::Pair>& pairs, bool one_based) {
  const bool is_corpus = format.format == data::AlignmentFormat::tsv;
  std::vector<Aligned> read = is_corpus ? read_gold_of_corpus(files.gold, one_based)
                                        : read_alignments_of(files.gold, format, std::move(lines), pairs, one_based);
  check_count(files, read.size(), all.size(), "pair");
  const bool has_gold = std::any_of(read.begin(), read.end(), [](const Aligned& one) { return one.gold.has_value(); });
  for (std::size_t i = 0; i < all.size(); ++i) {
    check_same_size(files, i, read[i], all[i]);
    if (has_gold || is_corpus) all[i].gold = std::move(read[i].gold);
    else all[i].gold = data::Gold{std::move(read[i].links), {}};
  }
}

// Sets the gold links of each alignment from the file --gold. In the format pharaoh, a blank line has no gold links.
// Returns false if the format itself says from which number words count.
bool read_gold(std::vector<Aligned>& all, const LinkFiles& files, const std::vector<data::Pair>& pairs,
               bool one_based) {
  std::vector<std::string> lines = data::read_lines(files.gold);
  if (data::is_naacl(lines)) {
    std::vector<data::PairSize> sizes;
    for (const Aligned& one : all) sizes.push_back({one.source_words, one.target_words});
    std::vector<std::optional<data::Gold>> gold = data::read_naacl(files.gold, lines, sizes);
    for (std::size_t i = 0; i < all.size(); ++i) all[i].gold = std::move(gold[i]);
    return false;
  }
  if (const data::Format& format = format_of_file(files.gold, lines); format.format != data::AlignmentFormat::pharaoh) {
    read_gold_in_format(all, files, format, std::move(lines), pairs, one_based);
    return !format.weights;
  }
  check_count(files, lines.size(), all.size(), "line");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    all[i].gold.reset();
    if (!data::split_words(lines[i]).empty())
      all[i].gold = data::parse_gold(lines[i], all[i].source_words, all[i].target_words,
                                     fmt::format("{}:{}", files.gold, i + 1), one_based);
  }
  return true;
}

// Returns a note if the links or the gold links seem to count words from 1. `open_base` is false if the format of the
// gold links says from which number words count.
std::string note_of_bases(const std::vector<Aligned>& all, const LinkFiles& files, bool one_based, bool open_base) {
  data::IndexBase found, gold;
  for (const Aligned& one : all) {
    found.add(one.links);
    if (one.gold) gold.add(*one.gold);
  }
  std::string text = files.gold.empty() || one_based || !open_base ? "" : gold.note(files.gold);
  if (found.may_count_from_1() && (one_based || !gold.may_count_from_1()))
    text += fmt::format(
        "note: {}: no link contains the first word of one side, so the file may count words from 1. --links counts "
        "from 0. This command changes the numbers: {} {} --from pharaoh --one-based --data FILE --format "
        "pharaoh\n",
        files.links, data::command("convert"), data::shell_word(files.links));
  return text;
}

}  // namespace

LinkScore score_links(const LinkFiles& files, const CorpusFiles& texts) {
  const std::vector<data::Pair> pairs = read_pairs(texts);
  std::vector<Aligned> all = read_links(files, pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (pairs[i].gold) all[i].gold = gold_over_words(pairs[i]);
  const bool open_base = files.gold.empty() || read_gold(all, files, pairs, texts.one_based);
  LinkScore result{.pairs = all.size(), .with_gold = 0, .score = {}};
  for (const Aligned& one : all) {
    if (!one.gold) continue;
    ++result.with_gold;
    result.score.add(one.links, *one.gold);
  }
  if (result.with_gold == 0)
    throw data::Error(data::ErrorKind::bad_data,
                      fmt::format("{}: there are no gold links to compare with. Add --gold FILE, with one line of gold "
                                  "links per alignment",
                                  files.links));
  report("{}", note_of_bases(all, files, texts.one_based, open_base));
  report("{}", note_of_gold(result.with_gold, result.pairs));
  return result;
}

std::string format_scores(const LinkScore& score, std::size_t columns) {
  const data::AlignmentScore& s = score.score;
  std::string text = fmt::format("{} {}\n", format_count(score.pairs), score.pairs == 1 ? "pair" : "pairs");
  const auto line = [&](const std::string& name, const std::string& value, const std::string& meaning) {
    text += score_line(name, value, meaning, columns);
  };
  line("AER", fmt::format("{:.1f}", 100 * s.aer()), "alignment error rate of the links; 0: perfect");
  line("precision", s.found > 0 ? fmt::format("{:.1f}", 100 * s.precision()) : "-",
       fmt::format("percentage of links that are gold links; links: {}", format_count(s.found)));
  line("recall", fmt::format("{:.1f}", 100 * s.recall()),
       fmt::format("percentage of sure gold links found; sure links: {}", format_count(s.sure)));
  return text;
}

std::string to_json(const LinkScore& score) {
  const data::AlignmentScore& s = score.score;
  nlohmann::ordered_json values{{"pairs", score.pairs}, {"pairs_with_gold", score.with_gold},
                                {"links", s.found},     {"sure_links", s.sure},
                                {"aer", s.aer()},       {"precision", nullptr},
                                {"recall", s.recall()}};
  if (s.found > 0) values["precision"] = s.precision();
  return values.dump(2) + "\n";
}

}  // namespace softalign::apps
