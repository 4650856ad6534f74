#include "apps/inference/unknown_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "apps/cli/command_line.h"
#include "apps/terminal/terminal.h"
#include "data/alignment/lexicon.h"
#include "data/io/error.h"
#include "data/io/unicode.h"
#include "data/text/characters.h"

namespace softalign::apps {

void declare(CommandLine& line, UnknownWords& unknown) {
  line.group("Unknown words");
  line.add_here("replace-unknown", &unknown.replace,
                "write for each <unk> the source word that it looked at most, translated by --lexicon if that has it");
  line.add_here("lexicon", &unknown.lexicon_path, "TSV file of source words and their translations (align --lexicon)");
}

void prepare(UnknownWords& unknown) {
  if (unknown.lexicon_path.empty()) return;
  if (!unknown.replace) throw UsageError("--lexicon is for --replace-unknown; give both");
  unknown.lexicon = data::read_lexicon(unknown.lexicon_path);
}

void replace_unknown(data::Record& record, const UnknownWords& unknown) {
  if (!unknown.replace) return;
  if (record.weights.matrix.empty()) {
    throw data::Error(data::ErrorKind::wrong_usage,
                      "--replace-unknown: the run's model has no attention to find the source words by");
  }
  data::replace_unknown(record, unknown.lexicon);
}

namespace {

constexpr std::size_t shown = 8;

// The first that is a sentence rather than a word, which seldom has more than four characters; "" for none.
std::string unspaced(const data::Tokens& words) {
  const auto found =
      std::find_if(words.begin(), words.end(), [](const auto& word) { return data::unspaced_characters(word) > 4; });
  return found == words.end() ? "" : *found;
}

}  // namespace

void SwappedColumns::add(const data::Tokens& source, const data::Tokens& target) {
  if (!run_->source_pieces.whole_words()) return;
  const auto unknown_here_alone = [](const data::Tokens& words, const data::Vocabulary& own,
                                     const data::Vocabulary& other) {
    const data::Ids here = own.ids(words), there = other.ids(words);
    std::size_t count = 0;
    for (std::size_t i = 0; i < words.size(); ++i) count += here[i] == data::unk_id && there[i] != data::unk_id;
    return count;
  };
  source_words_ += source.size();
  target_words_ += target.size();
  sources_of_targets_ += unknown_here_alone(source, run_->source, run_->target);
  targets_of_sources_ += unknown_here_alone(target, run_->target, run_->source);
}

bool SwappedColumns::found() const {
  constexpr double most = 0.4;  // the rest are names, numbers and punctuation, which both languages have
  const auto part = [](std::size_t count, std::size_t all) {
    return all == 0 ? 0. : static_cast<double>(count) / static_cast<double>(all);
  };
  return part(sources_of_targets_, source_words_) > most && part(targets_of_sources_, target_words_) > most;
}

void UnknownNote::add(Side& side, const data::Tokens& words, const data::Segmenter& pieces,
                      const data::Vocabulary& known) {
  for (const std::string& word : words) {
    const data::Ids ids = known.ids(pieces.segment({word}).pieces);
    const bool is_unknown = std::find(ids.begin(), ids.end(), data::unk_id) != ids.end();
    if (is_unknown && side.all.insert(word).second && side.first.size() < shown) side.first.push_back(printable(word));
  }
}

void UnknownNote::add_source(const data::Tokens& words) { add(source_, words, run_.source_pieces, run_.source); }

void UnknownNote::add_pair(const data::Pair& pair) {
  add_source(pair.source);
  add(target_, pair.target, run_.target_pieces, run_.target);
  swapped_.add(pair.source, pair.target);
}

std::string UnknownNote::take() {
  std::string text;
  for (const Side* side : {&source_, &target_}) {
    if (side->all.empty()) continue;
    const std::size_t more = side->all.size() - side->first.size();
    data::Tokens first;
    for (const std::string& word : side->first) first.push_back(data::shortened(word));
    text += fmt::format("note: not in the {}vocabulary: {}{}\n", side == &target_ ? "target " : "",
                        fmt::join(first, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
  }
  const std::string whole = unspaced(source_.first);
  if (!whole.empty() && run_.options.tokenizer != "characters") {
    text += fmt::format(
        "note: {} is one word of {} characters to this run; put spaces between words as its training text has them,\n"
        "or train with --tokenizer characters\n",
        data::shortened(whole), data::unspaced_characters(whole));
  }
  if (swapped_.found())
    text +=
        "note: the sources look like the run's target language and the targets like its source language; to swap the\n"
        "columns: awk -F'\\t' -v OFS='\\t' '{print $2, $1}' FILE\n";
  source_ = target_ = {};
  swapped_ = SwappedColumns(run_);
  return text;
}

}  // namespace softalign::apps
