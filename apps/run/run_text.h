// The text of a run converts sentences to words and to subwords with ids, and back. Without --tokenizer sentencepiece,
// each word is one unit. Corpora, gold links, translations and records use words, and models use subwords.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apps/run/inference.h"
#include "apps/run/run_folder.h"
#include "data/alignment/record.h"
#include "data/corpus/batches.h"
#include "data/corpus/corpus.h"
#include "data/text/subwords.h"

namespace softalign::apps {

// A source as the run's model reads it: a sentence, or, from a data::Pair, a picture or another source with its own
// positions.
struct SourceText {
  data::Tokens words;
  data::Segments segments;
  data::Ids ids;
  std::string line;  // as it was written; empty if that is not known
  data::Tokens places = {};
  std::shared_ptr<const data::Picture> picture = {};
  std::string question = {};
};
data::EncodedPair encoded(const SourceText& source, data::Ids target = {});  // as a pair with that target
SourceText source_text(const Run& run, data::Tokens words, std::string line = {});
SourceText read_source(const Run& run, std::string_view line);
SourceText source_of(const Run& run, const data::Pair& pair);
// A picture, scaled to the size of the run's model, with its cells as positions. `name` is its name in the record.
SourceText picture_source(const Run& run, const data::Picture& picture, const std::string& name);

// Joins the words of a translation, with or without capitals, into a readable sentence.
std::string detokenize(const Run& run, const data::Tokens& words);
// The same with the position of each word in it.
data::Original placed_sentence(const Run& run, const data::Tokens& words);

// The pairs as ids. A sure link links all subwords of its two words.
std::vector<data::EncodedPair> encode(const Run& run, const std::vector<data::Pair>& pairs);

// The largest number of subwords for a side with this number of words. A line with few words may be very long, and
// attention needs memory for the square of its subwords. Therefore the limit is 8 per word, or per word that
// --max-length allows (`allowed`).
inline std::size_t most_subwords(std::size_t words, std::size_t allowed) { return 8 * std::max(words, allowed); }

// Forced decoding of the pairs. The result of a blank pair is empty. data::Error, with the line of the pair, if a
// log-probability is not finite or a side has too many subwords.
std::vector<TeacherForcedPair> force(const Run& run, const std::vector<data::Pair>& pairs);

// A pair at the level of subwords: source and target are subwords, and each gold link links all subwords of its two
// words.
struct PiecePair {
  data::Segments source, target;
  data::Pair pair;
};
PiecePair in_pieces(const Run& run, const data::Pair& pair);

// Converts forced decoding over subwords to words (data/alignment/word_level.h).
TeacherForcedPair in_words(const TeacherForcedPair& forced, const PiecePair& pieces);

// The output of a model, in words.
data::Tokens words_of(const Run& run, const models::Hypothesis& found);

// The alignment record of a pair of a corpus, with its gold. If the model has no attention, it has only words and
// log-probabilities.
data::Record teacher_forced_record(const data::Pair& pair, const TeacherForcedPair& forced, std::size_t id);

// The record, over words, of a free translation, which has no gold. Its matrix is the alignment layer's if the run has
// one, unless the decoder's is requested.
data::Record hypothesis_record(const Run& run, const SourceText& source, const models::Hypothesis& found,
                               data::DecodingMode mode, std::size_t id, std::size_t rank,
                               MatrixBy matrix = MatrixBy::layer);

// The units of a record: words, or subwords for a run with --tokenizer sentencepiece.
enum class Tokens { words, pieces };

// Fills the fields of a record about the user's own text: source_original, target_original (lines and positions of
// words), unknown and tags. A side has no original if the run's tokeniser does not turn its line into the words of the
// pair.
void add_text(data::Record& record, const Run& run, const data::Pair& pair, Tokens tokens = Tokens::words);

// The same for a free translation, over words. Its target line is the printed sentence, with the positions of the
// target words in it.
void add_text(data::Record& record, const Run& run, const SourceText& source, const data::Original& sentence);

}  // namespace softalign::apps
