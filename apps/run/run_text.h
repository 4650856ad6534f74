// This file splits sentences into words and subwords with ids, and joins them again. Corpora, gold links, translations
// and records consist of words, and models read and write subwords. Without --tokenizer sentencepiece, each word is one
// subword.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apps/run/batched_inference.h"
#include "apps/run/run_folder.h"
#include "data/alignment/record.h"
#include "data/corpus/batches.h"
#include "data/corpus/corpus.h"
#include "data/text/subwords.h"

namespace softalign::apps {

// SourceText is a source in the form that the run's model reads. It is a sentence, or a source with its own positions,
// such as the cells of a picture.
struct SourceText {
  data::Tokens words;
  data::Segments segments;
  data::Ids ids;
  std::string line;  // the user's line; empty if unknown
  data::Tokens places = {};
  std::shared_ptr<const data::Picture> picture = {};
  std::string question = {};
};
data::EncodedPair encoded(const SourceText& source, data::Ids target = {});  // returns a pair with this target
SourceText source_text(const LoadedRun& run, data::Tokens words, std::string line = {});
SourceText read_source(const LoadedRun& run, std::string_view line);
SourceText source_of(const LoadedRun& run, const data::Pair& pair);
// Returns a picture as a source. The picture is scaled to the size that the run's model reads, and its cells become the
// positions. `name` is the name of the picture in the record.
SourceText picture_source(const LoadedRun& run, const data::Picture& picture, const std::string& name);

// Joins the words of a translation into a readable sentence. The words may have capitals.
std::string detokenize(const LoadedRun& run, const data::Tokens& words);
// Joins the words of a translation into a readable sentence. Returns the sentence and the position of each word in it.
data::Original placed_sentence(const LoadedRun& run, const data::Tokens& words);

// Converts the words of each pair to ids, for the model. With subwords, a sure link between two words becomes links
// between all of their subwords.
std::vector<data::EncodedPair> encode(const LoadedRun& run, const std::vector<data::Pair>& pairs);

// Returns the largest number of subwords that one side of a pair may have. The limit is 8 times the larger of two
// numbers: the number of words of this side, and `allowed`, which is the --max-length of the run. A side needs a limit,
// because a single word may be very long, and the memory of attention grows with the square of the number of subwords.
inline std::size_t most_subwords(std::size_t words, std::size_t allowed) { return 8 * std::max(words, allowed); }

// Runs the model on the pairs with teacher forcing. The result of a blank pair is empty. Throws data::Error if a
// log-probability is not finite, or if a side has too many subwords. The message has the line of the pair.
std::vector<TeacherForcedPair> teacher_force(const LoadedRun& run, const std::vector<data::Pair>& pairs);

// A SubwordPair is a pair whose source and target are subwords. Each gold link between two words becomes links between
// all of their subwords.
struct SubwordPair {
  data::Segments source, target;
  data::Pair pair;
};
SubwordPair in_subwords(const LoadedRun& run, const data::Pair& pair);

// Converts a result of teacher forcing from subwords to words (data/alignment/word_level.h).
TeacherForcedPair in_words(const TeacherForcedPair& teacher_forced, const SubwordPair& subwords);

// Returns the output of a model in words.
data::Tokens words_of(const LoadedRun& run, const models::Hypothesis& found);

// Returns the alignment record of a pair of a corpus, with its gold links. If the model has no attention, the record
// has only words and log-probabilities.
data::Record teacher_forced_record(const data::Pair& pair, const TeacherForcedPair& teacher_forced, std::size_t id);

// Returns the alignment record of a translation that the model found. The rows and columns of its matrix are words,
// not subwords. The record has no gold links. The matrix comes from the alignment layer and the decoder
// (apps/run/layer_matrix.h), if the run has a layer and the decoder's attention is not requested. Otherwise it comes
// from the decoder.
data::Record hypothesis_record(const LoadedRun& run, const SourceText& source, const models::Hypothesis& found,
                               data::DecodingMode mode, std::size_t id, std::size_t rank,
                               MatrixBy matrix = MatrixBy::combined);

// The enum Units says whether a row or column of a record belongs to a word or to a subword. Only runs with --tokenizer
// sentencepiece have subwords.
enum class Units { words, subwords };

// Fills the fields of a record that describe the user's text: source_original, target_original, unknown and tags. The
// first two have the user's line and the position of each word in it. If the run's tokeniser splits the source line
// into other words than those of the pair, source_original stays empty. The rule for the target is the same.
void add_text(data::Record& record, const LoadedRun& run, const data::Pair& pair, Units units = Units::words);

// Fills source_original, target_original and unknown in the record of a translation that the model found. The target
// line is the printed sentence, with the positions of the target words in this sentence.
void add_text(data::Record& record, const LoadedRun& run, const SourceText& source, const data::Original& sentence);

}  // namespace softalign::apps
