// An alignment record is one sentence pair with its attention weights. In a file, a record is one line with a JSON
// object of the schema softalign/1. The program `align` writes records, and `view` displays them. The keys for matrix,
// sentences and id have the same names as in Nematus, another translation program.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "autograd/names.h"
#include "data/alignment/attention_weights.h"
#include "data/corpus/corpus.h"
#include "data/io/unicode.h"

namespace softalign::data {

// A PictureGrid says how many rows and columns of cells a picture has.
struct PictureGrid {
  std::size_t H = 0, W = 0;
};

inline constexpr std::size_t most_cells = 64 * 64;                  // largest number of cells in the grid of a picture
inline constexpr std::size_t longest_image = std::size_t{8} << 20;  // largest number of bytes of a picture's data URI

// SourceKind says what a source consists of: the words of a sentence, the cells of a picture, or the sentences of a
// story.
enum class SourceKind { words, cells, sentences };

constexpr auto names_of(SourceKind) {
  return autograd::names<SourceKind>(
      {{"words", SourceKind::words}, {"cells", SourceKind::cells}, {"sentences", SourceKind::sentences}});
}

// Attends says to which word a row of weights belongs: to the word that its step writes (output), or to the word that
// its step reads (input).
enum class Attends { output, input };

constexpr auto names_of(Attends) {
  return autograd::names<Attends>({{"output", Attends::output}, {"input", Attends::input}});
}

// DecodingMode says where the target comes from. With `forced`, the target was given, and the model only scored it
// (teacher forcing). With `posterior`, the target was given too, and the matrix has the probabilities of links from an
// EM aligner instead of attention. With `ensemble`, several models wrote the target together. In the other modes, one
// model wrote it.
enum class DecodingMode { greedy, beam, forced, sampled, ensemble, posterior };

constexpr auto names_of(DecodingMode) {
  return autograd::names<DecodingMode>({{"greedy", DecodingMode::greedy},
                                        {"beam", DecodingMode::beam},
                                        {"forced", DecodingMode::forced},
                                        {"sampled", DecodingMode::sampled},
                                        {"ensemble", DecodingMode::ensemble},
                                        {"posterior", DecodingMode::posterior}});
}

// InterventionKind is the kind of change to a translation (models/search/intervention.h). `none` is the unchanged
// translation, with which you compare the others.
enum class InterventionKind { none, force, ablate, shuffle, word, weights };

constexpr auto names_of(InterventionKind) {
  return autograd::names<InterventionKind>({{"none", InterventionKind::none},
                                            {"force", InterventionKind::force},
                                            {"ablate", InterventionKind::ablate},
                                            {"shuffle", InterventionKind::shuffle},
                                            {"word", InterventionKind::word},
                                            {"weights", InterventionKind::weights}});
}

// A Change describes the change to one step of a translation. Steps and source words count from 0.
struct Change {
  InterventionKind kind = InterventionKind::none;
  std::optional<std::size_t> step = {}, source = {};
  std::optional<std::string> word = {};
};

// The struct Original contains a source or a target as the user wrote it, before it was split into words.
struct Original {
  std::string line;  // as the user wrote it
  Spans spans;       // the position of each word in the line; none if unknown
};

// The struct Unknown contains the positions of words that are not in the vocabularies of the model. With subwords,
// these are words that have an unknown subword. Positions count from 0, in rising order.
struct Unknown {
  std::vector<std::size_t> source, target;
};

// A record has T target words and S source words. If both source and target have </s>, weights.matrix has T + 1 rows
// and S + 1 columns.
struct Record {
  std::size_t id = 0;     // position of the pair in the input, from 0
  Tokens source, target;  // words without </s>; a source may have cells or sentences instead
  SourceKind source_kind = SourceKind::words;
  std::optional<PictureGrid> source_grid = {};   // size of the grid, if the source has cells
  std::optional<std::string> source_image = {};  // the picture, if the source has cells: data:image/png;base64,..
  std::optional<std::string> question = {};      // the target answers this question
  bool source_eos = true;                        // the last column is </s>
  bool target_eos = true;                        // the last row is </s>; false if a search stopped at its length limit
  AttentionWeights weights;
  Attends attends = Attends::output;
  DecodingMode mode = DecodingMode::forced;
  Links links;                 // links of the largest weights (data/alignment/argmax_links.h)
  std::optional<Gold> gold;    // gold links; only if the target is the reference
  std::vector<float> entropy;  // entropy of each row, in nats
  std::vector<float> logprob;  // log-probability of the word that each row writes, in nats; empty if unknown
  std::optional<Original> source_original, target_original;
  std::optional<Unknown> unknown;    // none if no vocabulary was used
  std::vector<std::string> tags;     // tags of the pair in its corpus
  std::size_t rank = 0;              // rank in the n-best list, from 0
  std::optional<std::size_t> epoch;  // in a training history: the epoch of the model
  std::optional<Change> intervention;
};

// Returns the source as one string, for the key source_sent. Words and cells are joined by a space, and sentences by "
// | ".
std::string join_source(const Record& record);

// Returns the first problem with source_kind, source_grid and source_image, or "" if there is none.
std::string problem_of_source(const Record& record);

// Returns the record of a blank line. The record has no words, no </s> and no rows.
Record blank_record(std::size_t id);

// Returns the entropy of attention weights a_s, H = - sum_s a_s ln a_s, in nats. 0 ln 0 counts as 0.
float entropy(const std::vector<float>& weights);

// Computes links and entropy from the matrix. `attends` says whether a row belongs to a word that the model writes or
// to a word that it reads.
void complete(Record& record);

// Removes the row of the target's </s>. Use it for the record of an answer: an answer is always one word, so </s> says
// nothing.
void leave_end_out(Record& record);

// Returns the first violation of the schema, or "" if there is none. For example, sizes do not match, a weight is NaN,
// or a row does not sum to 1.
std::string problem_of(const Record& record);

}  // namespace softalign::data
