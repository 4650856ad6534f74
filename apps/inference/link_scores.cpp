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
  line.add_here("gold", &files.gold,
                "with --links: file with the gold links of each line, 0-0 for a sure and 1?2 for a possible link. "
                "Default: the gold links in --data or --alignment");
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
      throw UsageError(
          fmt::format("--run is required. Name the run folder to score, or a file of links: --links FILE --gold FILE. {}",
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

std::vector<Aligned> read_links(const LinkFiles& files, const std::vector<data::Pair>& pairs) {
  std::vector<std::string> lines = data::read_lines(files.links);
  std::optional<data::AlignmentFormat> from = files.from ? files.from : format_by_ending(files.links);
  if (!from) from = data::format_by_content(lines);
  const data::Format& format = data::format_of(from.value_or(data::AlignmentFormat::pharaoh));
  if (pairs.empty() && format.format == data::AlignmentFormat::pharaoh)
    return read_links_without_words(files.links, lines);
  if (pairs.empty() && !format.words)
    throw UsageError(
        fmt::format("{}: the format {} does not contain all words. Add the sentences with --data FILE, or --source "
                    "FILE and --target FILE",
                    files.links, format.name()));
  std::vector<Aligned> found;
  for (data::Record& record :
       format.read({files.links, std::move(lines), format.words ? std::vector<data::Pair>{} : pairs}))
    found.push_back(aligned(std::move(record)));
  if (!pairs.empty() && format.words) check_same_pairs(files.links, found, pairs);
  return found;
}

// Sets the gold links of each alignment from the lines of --gold. A blank line has no gold links.
void read_gold(std::vector<Aligned>& all, const LinkFiles& files, bool one_based) {
  const std::vector<std::string> lines = data::read_lines(files.gold);
  if (lines.size() != all.size())
    throw data::Error(data::ErrorKind::bad_data,
                      fmt::format("{}: the file has {} line{}, but {} has {} alignment{}. Give one line of gold links "
                                  "per alignment",
                                  files.gold, lines.size(), lines.size() == 1 ? "" : "s", files.links, all.size(),
                                  all.size() == 1 ? "" : "s"));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    all[i].gold.reset();
    if (!data::split_words(lines[i]).empty())
      all[i].gold = data::parse_gold(lines[i], all[i].source_words, all[i].target_words,
                                     fmt::format("{}:{}", files.gold, i + 1), one_based);
  }
}

// Returns a note if the links or the gold links seem to count words from 1.
std::string note_of_bases(const std::vector<Aligned>& all, const LinkFiles& files, bool one_based) {
  data::IndexBase found, gold;
  for (const Aligned& one : all) {
    found.add(one.links);
    if (one.gold) gold.add(*one.gold);
  }
  std::string text = files.gold.empty() || one_based ? "" : gold.note(files.gold);
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
  if (!files.gold.empty()) read_gold(all, files, texts.one_based);
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
  report("{}", note_of_bases(all, files, texts.one_based));
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
