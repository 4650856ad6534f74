#include "apps/inference/unknown_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "apps/cli/command_line.h"
#include "apps/terminal/terminal.h"
#include "data/alignment/lexicon.h"
#include "data/io/choice.h"
#include "data/io/commands.h"
#include "data/io/error.h"
#include "data/io/unicode.h"
#include "data/text/characters.h"

namespace softalign::apps {

void declare(CommandLine& line, UnknownWords& unknown) {
  line.group("Unknown words");
  line.add_here("replace-unknown", &unknown.replace,
                "replace each <unk> (unknown word) in a translation by the source word with the largest attention "
                "weight. With --lexicon, replace <unk> by the translation of this source word, if the lexicon has one");
  line.add_here("lexicon", &unknown.lexicon_path,
                "with --replace-unknown: TSV file of source words and translations, which `align --lexicon` writes");
}

void prepare(UnknownWords& unknown) {
  if (unknown.lexicon_path.empty()) return;
  if (!unknown.replace)
    throw UsageError("--lexicon has an effect only with --replace-unknown. Add --replace-unknown, or remove --lexicon");
  unknown.lexicon = data::read_lexicon(unknown.lexicon_path);
}

void replace_unknown(data::Record& record, const UnknownWords& unknown) {
  if (!unknown.replace) return;
  if (record.weights.matrix.empty()) {
    throw data::Error(data::ErrorKind::wrong_usage,
                      "--replace-unknown finds the source word by the attention, and the model of this run has no "
                      "attention. Remove --replace-unknown");
  }
  data::replace_unknown(record, unknown.lexicon);
}

namespace {

constexpr std::size_t shown = 8;

// Returns the first word that is a whole sentence in a script without spaces, or "" if there is none.
std::string unspaced(const data::Tokens& words) {
  const auto found = std::find_if(words.begin(), words.end(), data::is_unspaced_text);
  return found == words.end() ? "" : *found;
}

// Returns the source words that the user may have meant. Returns no words if the vocabulary has subwords.
data::Tokens whole_words(const LoadedRun& run) {
  data::Tokens words;
  if (!run.source_segmenter.whole_words()) return words;
  for (std::size_t id = 0; id < run.source.size(); ++id) {
    const std::string& word = run.source.word(static_cast<data::Id>(id));
    if (!data::is_special(word)) words.push_back(word);
  }
  return words;
}

// Returns the known words that are most similar to the word, the most similar first.
data::Tokens similar(const std::string& word, data::Tokens known) {
  constexpr std::size_t most = 3, longest = 40;  // longer words are no typing errors, and are slow to compare
  data::Tokens found;
  if (word.size() > longest) return found;
  for (std::string next; found.size() < most && !(next = data::nearest(word, known)).empty();) {
    std::erase(known, next);
    found.push_back(next);
  }
  return found;
}

// Returns "; did you mean love, live or leave?", or "" if no known word is similar.
std::string meant_words(const std::string& word, const data::Tokens& known) {
  data::Tokens meant = similar(word, known);
  if (meant.empty()) return "";
  for (std::string& each : meant) each = data::shortened(each);
  const std::string last = meant.back();
  meant.pop_back();
  return fmt::format("; did you mean {}{}{}?", fmt::join(meant, ", "), meant.empty() ? "" : " or ", last);
}

}  // namespace

void SwappedColumns::add(const data::Tokens& source, const data::Tokens& target) {
  if (!run_->source_segmenter.whole_words()) return;
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

std::string swapping_command(const std::string& file) {
  return data::with_file("\nawk -F'\\t' -v OFS='\\t' '{print $2, $1}' FILE > NEW\n", file);
}

bool SwappedColumns::found() const {
  constexpr double most = 0.4;  // other words are names, numbers and punctuation, which both languages have
  const auto part = [](std::size_t count, std::size_t all) {
    return all == 0 ? 0. : static_cast<double>(count) / static_cast<double>(all);
  };
  return part(sources_of_targets_, source_words_) > most && part(targets_of_sources_, target_words_) > most;
}

bool is_unknown(const std::string& word, const data::Segmenter& segmenter, const data::Vocabulary& known) {
  const data::Ids ids = known.ids(segmenter.segment({word}).subwords);
  return std::find(ids.begin(), ids.end(), data::unk_id) != ids.end();
}

data::Tokens similar_words(const LoadedRun& run, const std::string& word) { return similar(word, whole_words(run)); }

void UnknownNote::add(Side& side, const data::Tokens& words, const data::Segmenter& segmenter,
                      const data::Vocabulary& known) {
  for (const std::string& word : words) {
    if (is_unknown(word, segmenter, known) && side.all.insert(word).second && side.first.size() < shown)
      side.first.push_back(printable(word));
  }
}

void UnknownNote::add_source(const data::Tokens& words) { add(source_, words, run_.source_segmenter, run_.source); }

void UnknownNote::add_pair(const data::Pair& pair) {
  add_source(pair.source);
  add(target_, pair.target, run_.target_segmenter, run_.target);
  swapped_.add(pair.source, pair.target);
}

std::string UnknownNote::note_of_text_without_spaces() const {
  const std::string whole = unspaced(source_.first);
  if (whole.empty() || run_.options.tokenizer == data::Tokenization::characters) return "";
  return fmt::format(
      "note: this run reads {} as one word of {} characters. Put spaces between the words, as in the training "
      "text, or train a model with: train --tokenizer characters\n",
      data::shortened(whole), data::unspaced_characters(whole));
}

std::string UnknownNote::take() {
  std::string text;
  for (const Side* side : {&source_, &target_}) {
    if (side->all.empty()) continue;
    const std::size_t more = side->all.size() - side->first.size();
    data::Tokens first;
    for (const std::string& word : side->first) first.push_back(data::shortened(word));
    text += fmt::format("note: these words are not in the {}vocabulary: {}{}\n", side == &target_ ? "target " : "",
                        fmt::join(first, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
  }
  text += note_of_text_without_spaces();
  if (swapped_.found())
    text +=
        "note: the sources look like the run's target language, and the targets like its source language. This swaps "
        "the columns:" +
        swapping_command("");
  source_ = target_ = {};
  swapped_ = SwappedColumns(run_);
  return text;
}

std::string UnknownNote::take_of_translation() {
  const data::Tokens known = source_.first.empty() ? data::Tokens() : whole_words(run_);
  std::string text;
  for (const std::string& word : source_.first)
    text += fmt::format("note: {} is not in the vocabulary, so it cannot be translated correctly{}\n",
                        data::in_quotes(word), meant_words(word, known));
  if (const std::size_t more = source_.all.size() - source_.first.size(); more > 0)
    text += fmt::format("note: {} more word{} not in the vocabulary\n", more, more == 1 ? " is" : "s are");
  text += note_of_text_without_spaces();
  source_ = {};
  return text;
}

}  // namespace softalign::apps
