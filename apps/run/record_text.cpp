#include "apps/run/record_text.h"

#include "apps/run/pictures.h"
#include "data/alignment/word_level.h"
#include "data/io/unicode.h"
#include "data/text/tokenizer.h"

namespace softalign::apps {

namespace {

using data::PlacedToken;
using data::Span;
using data::Spans;

// The places of the pieces of words whose code points have these; a piece that begins a word has U+2581 in front.
Spans piece_spans(const std::vector<PlacedToken>& words, const data::Segments& segments) {
  Spans spans;
  for (std::size_t i = 0; i < segments.pieces.size();) {
    const PlacedToken& word = words[segments.word[i]];
    std::vector<std::size_t> ends;  // of each piece, in code points of the word and the mark before it
    std::size_t end = 0;
    for (; i < segments.pieces.size() && &words[segments.word[i]] == &word; ++i)
      ends.push_back(end += data::decode_utf8(segments.pieces[i]).size());
    const bool whole = end != word.points.size() + 1;  // the pieces do not spell the word
    std::size_t begin = 0;
    for (const std::size_t piece_end : ends) {
      const std::size_t first = begin, last = piece_end - 1;
      if (whole) spans.push_back(word.span());
      else if (first == last) spans.push_back({word.points[first].begin, word.points[first].begin});  // the mark alone
      else spans.push_back({word.points[first].begin, word.points[last - 1].end});
      begin = last;
    }
  }
  return spans;
}

std::optional<data::Original> original(const Run& run, const std::string& line, const data::Tokens& words,
                                       const data::Segments& segments, Tokens tokens) {
  const data::TokenizerOptions rule = tokenizer_options(run.options);
  std::optional<data::Original> result = data::placed_in(line, words, rule);
  if (result && tokens == Tokens::pieces) result->spans = piece_spans(data::place_tokens(line, rule), segments);
  return result;
}

// Positions that the vocabulary does not know: of pieces, or of words that have such a piece.
std::vector<std::size_t> unknown(const data::Vocabulary& vocabulary, const data::Segments& segments, Tokens tokens) {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < segments.pieces.size(); ++i) {
    const std::size_t position = tokens == Tokens::pieces ? i : segments.word[i];
    const bool again = !positions.empty() && positions.back() == position;
    if (!again && vocabulary.id(segments.pieces[i]) == data::unk_id) positions.push_back(position);
  }
  return positions;
}

}  // namespace

namespace {

// A source that has places, of a pair or a text: cells of the grid that the model's encoder leaves, of the picture with
// this name, or sentences.
template <class Source>
void set_kind(data::Record& record, const Run& run, const Source& source, const std::string& name) {
  if (source.places.empty()) return;
  if (!source.question.empty()) {
    record.source_kind = "sentences";
    record.question = source.question;
  }
  if (!source.picture) return;
  record.source_kind = "cells";
  const data::PictureOptions its = picture_options(run.options.model);
  record.source_grid = data::Grid{its.rows, its.columns};
  if (!name.empty()) record.source_original = data::Original{name, {}};
}

}  // namespace

void add_text(data::Record& record, const Run& run, const data::Pair& pair, Tokens tokens) {
  set_kind(record, run, pair, pair.source_line);
  const data::Segments target = run.target_pieces.segment(pair.target);
  record.target_original = original(run, pair.target_line, pair.target, target, tokens);
  record.unknown = {{}, unknown(run.target, target, tokens)};
  record.tags = pair.tags;
  if (!pair.places.empty()) return;
  const data::Segments source = run.source_pieces.segment(pair.source);
  record.source_original = original(run, pair.source_line, pair.source, source, tokens);
  record.unknown->source = unknown(run.source, source, tokens);
}

void add_text(data::Record& record, const Run& run, const SourceText& source, const data::Original& sentence) {
  set_kind(record, run, source, source.line);
  // The tokeniser may cut otherwise what a model wrote ("<unk>"); it stands where it was written all the same.
  record.target_original = original(run, sentence.line, record.target, {}, Tokens::words);
  if (!record.target_original && !sentence.line.empty()) record.target_original = sentence;
  record.unknown.emplace();
  if (source.places.empty()) {
    record.source_original = original(run, source.line, source.words, source.segments, Tokens::words);
    record.unknown->source = unknown(run.source, source.segments, Tokens::words);
  }
  for (std::size_t t = 0; t < record.target.size(); ++t)
    if (record.target[t] == data::unk_token) record.unknown->target.push_back(t);
}

}  // namespace softalign::apps
