#include "apps/run/run_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "apps/run/corpus_files.h"
#include "data/alignment/word_level.h"
#include "data/text/tokenizer.h"
#include "models/registry.h"

namespace softalign::apps {

SourceText source_text(const Run& run, data::Tokens words, std::string line) {
  SourceText text;
  text.words = std::move(words);
  text.segments = run.source_pieces.segment(text.words);
  text.ids = run.source.ids(text.segments.pieces);
  text.line = std::move(line);
  return text;
}

SourceText source_of(const Run& run, const data::Pair& pair) {
  SourceText text = source_text(run, pair.source, pair.source_line);
  text.places = pair.places;
  text.picture = pair.picture;
  text.ids = data::with_ends(text.ids, pair.parts);
  text.question = pair.question;
  return text;
}

data::EncodedPair encoded(const SourceText& source, data::Ids target) {
  return {source.ids, std::move(target), {}, source.places.size(), source.picture};
}

SourceText read_source(const Run& run, std::string_view line) {
  return source_text(run, tokenizer(run.options)(line), std::string(line));
}

data::Original placed_sentence(const Run& run, const data::Tokens& words) {
  data::TokenizerOptions as_written = tokenizer_options(run.options);
  as_written.lowercase = false;  // words that have capitals are not to come apart
  data::Original sentence;
  sentence.line = data::detokenize(words, as_written, &sentence.spans);
  return sentence;
}

std::string detokenize(const Run& run, const data::Tokens& words) { return placed_sentence(run, words).line; }

std::vector<data::EncodedPair> encode(const Run& run, const std::vector<data::Pair>& pairs) {
  if (run.source_pieces.whole_words()) return data::encode(pairs, run.source, run.target);
  std::vector<data::Pair> pieces;
  const std::size_t most = models::most_words(run.options.model);
  for (const data::Pair& pair : pairs) {
    pieces.push_back(in_pieces(run, pair).pair);
    const data::Pair& now = pieces.back();
    const std::size_t line = pair.line > 0 ? pair.line : pieces.size();
    for (const auto& [side, words, tokens] : {std::tuple("source", pair.source.size(), now.source.size()),
                                              std::tuple("target", pair.target.size(), now.target.size())})
      if (tokens > most)
        throw std::runtime_error(
            fmt::format("line {} of the pairs: the {} words of its {} are {} subwords, and the model has positions for "
                        "{}; shorten it",
                        line, words, side, tokens, most));
  }
  return data::encode(pieces, run.source, run.target);
}

namespace {

void check_subwords(const Run& run, const data::Pair& pair, const data::EncodedPair& ids, std::size_t line) {
  if (run.source_pieces.whole_words()) return;
  for (const auto& [side, words, subwords] : {std::tuple("source", pair.source.size(), ids.source.size()),
                                              std::tuple("target", pair.target.size(), ids.target.size())}) {
    const std::size_t most = most_subwords(words, run.options.max_length);
    if (subwords > most)
      throw std::runtime_error(
          fmt::format("line {} of the pairs: its {} has {} word{} of {} subwords, and at most {} are "
                      "read; put spaces into the line, or leave it out",
                      line, side, words, words == 1 ? "" : "s", subwords, most));
  }
}

}  // namespace

std::vector<ForcedPair> force(const Run& run, const std::vector<data::Pair>& pairs) {
  if (std::any_of(pairs.begin(), pairs.end(), [](const data::Pair& pair) { return pair.blank; })) {
    std::vector<data::Pair> written;
    std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(written), [](const auto& pair) { return !pair.blank; });
    std::vector<ForcedPair> found = force(run, written), all(pairs.size());
    for (std::size_t i = 0, next = 0; i < pairs.size(); ++i)
      if (!pairs[i].blank) all[i] = std::move(found[next++]);
    return all;
  }
  const std::vector<data::EncodedPair> ids = encode(run, pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    check_subwords(run, pairs[i], ids[i], pairs[i].line > 0 ? pairs[i].line : i + 1);
  std::vector<ForcedPair> forced = force(*run.model, run.params, ids, usual_batch, run.sharing);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (const float log_prob : forced[i].log_prob)
      if (!std::isfinite(log_prob))
        throw std::runtime_error(
            fmt::format("line {} of the pairs: the model gives a word of it the log-probability {}; its training "
                        "diverged, or its file was changed",
                        pairs[i].line > 0 ? pairs[i].line : i + 1, log_prob));
  return forced;
}

PiecePair in_pieces(const Run& run, const data::Pair& pair) {
  PiecePair result{run.source_pieces.segment(pair.source), run.target_pieces.segment(pair.target), pair};
  result.pair.source = result.source.pieces;
  if (!pair.places.empty()) result.source = data::Segmenter().segment(pair.places);
  result.pair.target = result.target.pieces;
  result.pair.written.reset();  // it is over words, and so is the score that reads it
  if (pair.gold) result.pair.gold = data::expand_to_pieces(*pair.gold, result.source.word, result.target.word);
  return result;
}

ForcedPair in_words(const ForcedPair& forced, const PiecePair& pieces) {
  ForcedPair words;
  words.weights = data::merge_pieces(forced.weights, pieces.source.word, pieces.target.word);
  words.log_prob = data::merge_log_prob(forced.log_prob, pieces.target.word);
  if (forced.foretold.empty()) return words;
  words.foretold.assign(words.log_prob.size(), true);  // a word with all of its pieces
  for (std::size_t piece = 0; piece < pieces.target.word.size(); ++piece)
    if (!forced.foretold[piece]) words.foretold[pieces.target.word[piece]] = false;
  words.foretold.back() = forced.foretold.back();  // </s>
  return words;
}

data::Tokens words_of(const Run& run, const models::Hypothesis& found) {
  data::Tokens pieces = run.target.words(found.ids);
  return run.target_pieces.whole_words() ? pieces : run.target_pieces.join(pieces).words;
}

data::Record hypothesis_record(const Run& run, const SourceText& source, const models::Hypothesis& found,
                               const std::string& mode, std::size_t id, std::size_t rank) {
  const data::Tokens target = run.target.words(found.ids);
  const bool has_places = !source.places.empty();
  const data::Segments looked_at = has_places ? data::Segmenter().segment(source.places) : source.segments;
  data::Record pieces = hypothesis_record(looked_at.pieces, target, found, mode, id, rank);
  pieces.source_eos = !has_places;
  if (is_answered(run.options)) data::leave_end_out(pieces);
  if (run.source_pieces.whole_words()) return pieces;
  return data::merge_pieces(pieces, {has_places ? source.places : source.words, looked_at.word},
                            run.target_pieces.join(target));
}

}  // namespace softalign::apps
