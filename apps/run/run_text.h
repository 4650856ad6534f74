// The text of a run: sentences <-> words <-> the pieces that have ids. Without --tokenizer sentencepiece each word is
// its own only piece. Corpora, gold links, translations and records are in words; models work on pieces.
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

// A source as the run's model reads it: a sentence; or, as of a data::Pair, a picture or what has places of its own.
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
// A picture, brought to the size of the run's model, its cells as places; `name` is what its record says of it.
SourceText picture_source(const Run& run, const data::Picture& picture, const std::string& name);

// Words of a translation, capitals or not, as the sentence that a person reads.
std::string detokenize(const Run& run, const data::Tokens& words);
// The same with the place of each word in it.
data::Original placed_sentence(const Run& run, const data::Tokens& words);

// The pairs as ids; sure links link all pieces of the words that they link.
std::vector<data::EncodedPair> encode(const Run& run, const std::vector<data::Pair>& pairs);

// Subwords that a side of so many words may have. A line of few words may be of any length, and attention takes the
// square of its subwords; therefore no more than 8 for each word, or for each word that --max-length allows
// (`allowed`).
inline std::size_t most_subwords(std::size_t words, std::size_t allowed) { return 8 * std::max(words, allowed); }

// Forced decoding of the pairs; of a blank pair nothing is decoded, and its result is empty. data::Error, naming
// the pair's line, where a log-probability is not finite or a side has too many subwords.
std::vector<TeacherForcedPair> force(const Run& run, const std::vector<data::Pair>& pairs);

// A pair at the level of pieces: source and target are pieces, each gold link is one between all pieces of the two
// words.
struct PiecePair {
  data::Segments source, target;
  data::Pair pair;
};
PiecePair in_pieces(const Run& run, const data::Pair& pair);

// Forced decoding of the pieces as one of the words (data/alignment/word_level.h).
TeacherForcedPair in_words(const TeacherForcedPair& forced, const PiecePair& pieces);

// What a model wrote, in words.
data::Tokens words_of(const Run& run, const models::Hypothesis& found);

// The alignment record of a pair of a corpus, with its gold; of a model without attention it has words and
// log-probabilities only.
data::Record teacher_forced_record(const data::Pair& pair, const TeacherForcedPair& forced, std::size_t id);

// The record, over words, of what a model wrote freely, which has no gold.
// Its matrix is the alignment layer's, where the run has one, unless the decoder's is asked for.
data::Record hypothesis_record(const Run& run, const SourceText& source, const models::Hypothesis& found,
                               data::DecodingMode mode, std::size_t id, std::size_t rank,
                               MatrixBy matrix = MatrixBy::layer);

// What a record is over: words, or of a run with --tokenizer sentencepiece its pieces.
enum class Tokens { words, pieces };

// What a record tells of the user's own text, the lines, where in them each word stands, which words are unknown: fills
// source_original, target_original, unknown and tags of the record of a pair. A side whose line does not give the
// pair's words by the run's tokeniser has no original.
void add_text(data::Record& record, const Run& run, const data::Pair& pair, Tokens tokens = Tokens::words);

// The same of a free translation, over words; its target line is the sentence that a person reads, with the places of
// the record's target words in it.
void add_text(data::Record& record, const Run& run, const SourceText& source, const data::Original& sentence);

}  // namespace softalign::apps
