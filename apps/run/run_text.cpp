#include "apps/run/run_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

#include "apps/run/corpus_files.h"
#include "apps/run/layer_matrix.h"
#include "data/alignment/word_level.h"
#include "data/io/error.h"
#include "data/io/unicode.h"
#include "data/pictures/picture_file.h"
#include "data/text/tokenizer.h"
#include "models/registry.h"

namespace softalign::apps {

SourceText source_text(const LoadedRun& run, data::Tokens words, std::string line) {
  SourceText text;
  text.words = std::move(words);
  text.segments = run.source_segmenter.segment(text.words);
  text.ids = run.source.ids(text.segments.subwords);
  text.line = std::move(line);
  return text;
}

SourceText source_of(const LoadedRun& run, const data::Pair& pair) {
  SourceText text = source_text(run, pair.source, pair.source_line);
  text.places = pair.places;
  text.picture = pair.picture;
  text.ids = data::with_ends(text.ids, pair.parts);
  text.question = pair.question;
  return text;
}

SourceText picture_source(const LoadedRun& run, const data::Picture& picture, const std::string& name) {
  const data::PictureOptions its = picture_options(run.options.model);
  SourceText text;
  text.line = name;
  text.places = data::cell_names(its.rows, its.columns);
  text.picture = std::make_shared<const data::Picture>(data::scaled(picture, its.height, its.width));
  return text;
}

data::EncodedPair encoded(const SourceText& source, data::Ids target) {
  return {source.ids, std::move(target), {}, source.places.size(), source.picture};
}

SourceText read_source(const LoadedRun& run, std::string_view line) {
  return source_text(run, tokenizer(run.options)(line), std::string(line));
}

data::Original placed_sentence(const LoadedRun& run, const data::Tokens& words) {
  data::TokenizerOptions as_written = tokenizer_options(run.options);
  as_written.lowercase = false;  // words with capitals must not be split
  data::Original sentence;
  sentence.line = data::detokenize(words, as_written, &sentence.spans);
  return sentence;
}

std::string detokenize(const LoadedRun& run, const data::Tokens& words) { return placed_sentence(run, words).line; }

std::vector<data::EncodedPair> encode(const LoadedRun& run, const std::vector<data::Pair>& pairs) {
  if (run.source_segmenter.whole_words()) return data::encode(pairs, run.source, run.target);
  std::vector<data::Pair> subwords;
  const std::size_t most = models::most_words(run.options.model);
  for (const data::Pair& pair : pairs) {
    subwords.push_back(in_subwords(run, pair).pair);
    const data::Pair& now = subwords.back();
    const std::size_t line = pair.line > 0 ? pair.line : subwords.size();
    for (const auto& [side, words, tokens] : {std::tuple("source", pair.source.size(), now.source.size()),
                                              std::tuple("target", pair.target.size(), now.target.size())})
      if (tokens > most)
        throw data::Error(data::ErrorKind::bad_data,
                          fmt::format("line {} of the pairs: the {} words of the {} have {} subwords, and the model "
                                      "has positions for {}. Shorten the line",
                                      line, words, side, tokens, most));
  }
  return data::encode(subwords, run.source, run.target);
}

namespace {

void check_subwords(const LoadedRun& run, const data::Pair& pair, const data::EncodedPair& ids, std::size_t line) {
  if (run.source_segmenter.whole_words()) return;
  for (const auto& [side, words, subwords] : {std::tuple("source", pair.source.size(), ids.source.size()),
                                              std::tuple("target", pair.target.size(), ids.target.size())}) {
    const std::size_t most = most_subwords(words, run.options.max_length);
    if (subwords > most)
      throw data::Error(data::ErrorKind::bad_data,
                        fmt::format("line {} of the pairs: the {} has {} word{} with {} subwords together, and the "
                                    "model reads at most {}. Put spaces into the line, or remove the line",
                                    line, side, words, words == 1 ? "" : "s", subwords, most));
  }
}

}  // namespace

std::vector<TeacherForcedPair> teacher_force(const LoadedRun& run, const std::vector<data::Pair>& pairs) {
  if (std::any_of(pairs.begin(), pairs.end(), [](const data::Pair& pair) { return pair.blank; })) {
    std::vector<data::Pair> written;
    std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(written), [](const auto& pair) { return !pair.blank; });
    std::vector<TeacherForcedPair> found = teacher_force(run, written), all(pairs.size());
    for (std::size_t i = 0, next = 0; i < pairs.size(); ++i)
      if (!pairs[i].blank) all[i] = std::move(found[next++]);
    return all;
  }
  const std::vector<data::EncodedPair> ids = encode(run, pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    check_subwords(run, pairs[i], ids[i], pairs[i].line > 0 ? pairs[i].line : i + 1);
  std::vector<TeacherForcedPair> teacher_forced =
      teacher_force(*run.model, run.params, ids, usual_batch, run.processes);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (const float log_prob : teacher_forced[i].log_prob)
      if (!std::isfinite(log_prob))
        throw data::Error(data::ErrorKind::damaged_file,
                          fmt::format("line {} of the pairs: the model computes the log-probability {} for a word of "
                                      "this line, because its training diverged or its file was changed. Train again",
                                      pairs[i].line > 0 ? pairs[i].line : i + 1, log_prob));
  set_layer_matrix(teacher_forced, run, pairs);
  return teacher_forced;
}

SubwordPair in_subwords(const LoadedRun& run, const data::Pair& pair) {
  SubwordPair result{run.source_segmenter.segment(pair.source), run.target_segmenter.segment(pair.target), pair};
  result.pair.source = result.source.subwords;
  if (!pair.places.empty()) result.source = data::Segmenter().segment(pair.places);
  result.pair.target = result.target.subwords;
  result.pair.written.reset();  // `written` counts words, as does the score that uses it
  if (pair.gold) result.pair.gold = data::expand_to_subwords(*pair.gold, result.source.word, result.target.word);
  return result;
}

TeacherForcedPair in_words(const TeacherForcedPair& teacher_forced, const SubwordPair& subwords) {
  TeacherForcedPair words{data::merge_subwords(teacher_forced.weights, subwords.source.word, subwords.target.word),
                          data::merge_log_prob(teacher_forced.log_prob, subwords.target.word),
                          {}};
  if (teacher_forced.greedy_match.empty()) return words;
  words.greedy_match.assign(words.log_prob.size(), true);  // a word matches if all of its subwords match
  for (std::size_t i = 0; i < subwords.target.word.size(); ++i)
    if (!teacher_forced.greedy_match[i]) words.greedy_match[subwords.target.word[i]] = false;
  words.greedy_match.back() = teacher_forced.greedy_match.back();  // </s>
  return words;
}

data::Tokens words_of(const LoadedRun& run, const models::Hypothesis& found) {
  data::Tokens subwords = run.target.words(found.ids);
  return run.target_segmenter.whole_words() ? subwords : run.target_segmenter.join(subwords).words;
}

data::Record teacher_forced_record(const data::Pair& pair, const TeacherForcedPair& teacher_forced, std::size_t id) {
  data::Record record;
  record.weights = teacher_forced.weights;
  record.logprob = teacher_forced.log_prob;
  record.id = id;
  record.source = places_of(pair);
  record.source_eos = pair.places.empty();
  record.target = pair.target;
  if (!record.source.empty()) record.gold = pair.gold;  // the gold links of a text are within the text
  if (!record.weights.matrix.empty()) data::complete(record);
  if (!pair.parts.empty()) data::leave_end_out(record);
  return record;
}

data::Record hypothesis_record(const LoadedRun& run, const SourceText& source, const models::Hypothesis& found,
                               data::DecodingMode mode, std::size_t id, std::size_t rank, MatrixBy matrix) {
  const data::Tokens target = run.target.words(found.ids);
  const bool has_places = !source.places.empty();
  const data::Segments attended = has_places ? data::Segmenter().segment(source.places) : source.segments;
  data::Record record;
  record.weights = found.weights;
  record.logprob.assign(found.word_log_prob.begin(), found.word_log_prob.end());
  record.id = id;
  record.rank = rank;
  record.source = attended.subwords;
  record.source_eos = !has_places;
  record.target = target;
  record.target_eos = found.finished;
  record.mode = mode;
  if (!record.weights.matrix.empty()) data::complete(record);
  if (task_of(run.options).one_word) data::leave_end_out(record);
  if (!run.source_segmenter.whole_words())
    record = data::merge_subwords(record, {has_places ? source.places : source.words, attended.word},
                                  run.target_segmenter.join(target));
  if (matrix != MatrixBy::decoder) set_layer_matrix(record, run);
  return record;
}

namespace {

using data::PlacedToken;
using data::Span;
using data::Spans;

// Returns the positions of the subwords in a line. `words` has the positions of the code points of each word. A subword
// that begins a word has U+2581 in front.
Spans subword_spans(const std::vector<PlacedToken>& words, const data::Segments& segments) {
  Spans spans;
  for (std::size_t i = 0; i < segments.subwords.size();) {
    const PlacedToken& word = words[segments.word[i]];
    std::vector<std::size_t> ends;  // end of each subword, in code points of the mark and the word
    std::size_t end = 0;
    for (; i < segments.subwords.size() && &words[segments.word[i]] == &word; ++i)
      ends.push_back(end += data::decode_utf8(segments.subwords[i]).size());
    const bool whole = end != word.points.size() + 1;  // the subwords do not spell the word
    std::size_t begin = 0;
    for (const std::size_t subword_end : ends) {
      const std::size_t first = begin, last = subword_end - 1;
      if (whole) spans.push_back(word.span());
      else if (first == last) spans.push_back({word.points[first].begin, word.points[first].begin});  // only the mark
      else spans.push_back({word.points[first].begin, word.points[last - 1].end});
      begin = last;
    }
  }
  return spans;
}

std::optional<data::Original> original(const LoadedRun& run, const std::string& line, const data::Tokens& words,
                                       const data::Segments& segments, Units units) {
  const data::TokenizerOptions rule = tokenizer_options(run.options);
  std::optional<data::Original> result = data::placed_in(line, words, rule);
  if (result && units == Units::subwords) result->spans = subword_spans(data::place_tokens(line, rule), segments);
  return result;
}

// Returns the positions that the vocabulary does not know. They count subwords, or words that contain such a subword.
std::vector<std::size_t> unknown(const data::Vocabulary& vocabulary, const data::Segments& segments, Units units) {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < segments.subwords.size(); ++i) {
    const std::size_t position = units == Units::subwords ? i : segments.word[i];
    const bool again = !positions.empty() && positions.back() == position;
    if (!again && vocabulary.id(segments.subwords[i]) == data::unk_id) positions.push_back(position);
  }
  return positions;
}

// Sets the kind of a source that has its own positions. They are the cells of the picture with this name, or the
// sentences of a story.
template <class Source>
void set_kind(data::Record& record, const LoadedRun& run, const Source& source, const std::string& name) {
  if (source.places.empty()) return;
  if (!source.question.empty()) {
    record.source_kind = data::SourceKind::sentences;
    record.question = source.question;
  }
  if (!source.picture) return;
  record.source_kind = data::SourceKind::cells;
  const data::PictureOptions its = picture_options(run.options.model);
  record.source_grid = data::PictureGrid{its.rows, its.columns};
  if (!name.empty()) record.source_original = data::Original{name, {}};
}

}  // namespace

void add_text(data::Record& record, const LoadedRun& run, const data::Pair& pair, Units units) {
  set_kind(record, run, pair, pair.source_line);
  const data::Segments target = run.target_segmenter.segment(pair.target);
  record.target_original = original(run, pair.target_line, pair.target, target, units);
  record.unknown = {{}, unknown(run.target, target, units)};
  record.tags = pair.tags;
  if (!pair.places.empty()) return;
  const data::Segments source = run.source_segmenter.segment(pair.source);
  record.source_original = original(run, pair.source_line, pair.source, source, units);
  record.unknown->source = unknown(run.source, source, units);
}

void add_text(data::Record& record, const LoadedRun& run, const SourceText& source, const data::Original& sentence) {
  set_kind(record, run, source, source.line);
  // The tokeniser may split the model's text differently (for example "<unk>"). Then the record keeps the positions at
  // which the words were written.
  record.target_original = original(run, sentence.line, record.target, {}, Units::words);
  if (!record.target_original && !sentence.line.empty()) record.target_original = sentence;
  record.unknown.emplace();
  if (source.places.empty()) {
    record.source_original = original(run, source.line, source.words, source.segments, Units::words);
    record.unknown->source = unknown(run.source, source.segments, Units::words);
  }
  for (std::size_t t = 0; t < record.target.size(); ++t)
    if (record.target[t] == data::unk_token) record.unknown->target.push_back(t);
}

}  // namespace softalign::apps
