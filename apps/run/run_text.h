// This file converts sentences to words and to subwords with ids, and back. Without --tokenizer sentencepiece, each
// word is one unit. Corpora, gold links, translations and records use words, and models use subwords.
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

// A SourceText is a source in the form that the run's model reads. It is a sentence or, from a data::Pair, a picture or
// another source with its own positions.
struct SourceText {
  data::Tokens words;
  data::Segments segments;
  data::Ids ids;
  std::string line;  // the user's line; empty if unknown
  data::Tokens places = {};
  std::shared_ptr<const data::Picture> picture = {};
  std::string question = {};
};
data::EncodedPair encoded(const SourceText& source, data::Ids target = {});  // a pair with that target
SourceText source_text(const Run& run, data::Tokens words, std::string line = {});
SourceText read_source(const Run& run, std::string_view line);
SourceText source_of(const Run& run, const data::Pair& pair);
// Returns a picture as a source. It scales the picture to the size of the run's model, and makes its cells the
// positions. `name` is the name of the picture in the record.
SourceText picture_source(const Run& run, const data::Picture& picture, const std::string& name);

// Joins the words of a translation, with or without capitals, into a readable sentence.
std::string detokenize(const Run& run, const data::Tokens& words);
// Returns the same sentence, with the position of each word in it.
data::Original placed_sentence(const Run& run, const data::Tokens& words);

// Returns the pairs as ids. A sure link links all subwords of its two words.
std::vector<data::EncodedPair> encode(const Run& run, const std::vector<data::Pair>& pairs);

// Returns the largest number of subwords for a side with this number of words. A line with few words may be very long,
// and attention needs memory for the square of its subwords. Therefore the limit is 8 per word, or per word that
// --max-length allows (`allowed`).
inline std::size_t most_subwords(std::size_t words, std::size_t allowed) { return 8 * std::max(words, allowed); }

// Computes teacher forcing of the pairs. The result of a blank pair is empty. Throws data::Error if a log-probability
// is not finite, or if a side has too many subwords. The message has the line of the pair.
std::vector<TeacherForcedPair> teacher_force(const Run& run, const std::vector<data::Pair>& pairs);

// A PiecePair is a pair at the level of subwords. Source and target are subwords, and each gold link links all subwords
// of its two words.
struct PiecePair {
  data::Segments source, target;
  data::Pair pair;
};
PiecePair in_pieces(const Run& run, const data::Pair& pair);

// Converts the result of teacher forcing over subwords to words (data/alignment/word_level.h).
TeacherForcedPair in_words(const TeacherForcedPair& teacher_forced, const PiecePair& pieces);

// Returns the output of a model in words.
data::Tokens words_of(const Run& run, const models::Hypothesis& found);

// Returns the alignment record of a pair of a corpus, with its gold links. If the model has no attention, the record
// has only words and log-probabilities.
data::Record teacher_forced_record(const data::Pair& pair, const TeacherForcedPair& teacher_forced, std::size_t id);

// The record, over words, of a free translation, which has no gold. Its matrix is the alignment layer's if the run has
// one, unless the decoder's is requested.
data::Record hypothesis_record(const Run& run, const SourceText& source, const models::Hypothesis& found,
                               data::DecodingMode mode, std::size_t id, std::size_t rank,
                               MatrixBy matrix = MatrixBy::layer);

// A record has words as its units. For a run with --tokenizer sentencepiece, it may have subwords instead.
enum class Tokens { words, pieces };

// Fills the fields of a record about the user's own text: source_original, target_original (lines and positions of
// words), unknown and tags. A side has no original if the run's tokeniser does not turn its line into the words of the
// pair.
void add_text(data::Record& record, const Run& run, const data::Pair& pair, Tokens tokens = Tokens::words);

// Fills the same fields for a free translation, over words. The target line is the printed sentence, with the positions
// of the target words in it.
void add_text(data::Record& record, const Run& run, const SourceText& source, const data::Original& sentence);

}  // namespace softalign::apps
