// The alignment record, schema softalign/1, is one sentence pair with its attention. In a file, a record is one JSON
// object on one line. The program `align` writes records, and `view` reads them. Matrix, sentences and id have the
// names that Nematus's scorer gives them.
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

// Grid has the numbers of rows and columns of cells in a picture.
struct Grid {
  std::size_t H = 0, W = 0;
};

inline constexpr std::size_t most_cells = 64 * 64;                  // of a grid
inline constexpr std::size_t longest_image = std::size_t{8} << 20;  // bytes of a picture's data URI

// A source has the words of a sentence, the cells of a picture or the sentences of a story.
enum class SourceKind { words, cells, sentences };

constexpr auto names_of(SourceKind) {
  return autograd::names<SourceKind>(
      {{"words", SourceKind::words}, {"cells", SourceKind::cells}, {"sentences", SourceKind::sentences}});
}

// A row of weights belongs to the word that is written at its step (output) or to the word that is read there (input).
enum class Attends { output, input };

constexpr auto names_of(Attends) {
  return autograd::names<Attends>({{"output", Attends::output}, {"input", Attends::input}});
}

// The caller gave the target (forced), or one model found it, or several models did (ensemble).
enum class DecodingMode { greedy, beam, forced, sampled, ensemble };

constexpr auto names_of(DecodingMode) {
  return autograd::names<DecodingMode>({{"greedy", DecodingMode::greedy},
                                        {"beam", DecodingMode::beam},
                                        {"forced", DecodingMode::forced},
                                        {"sampled", DecodingMode::sampled},
                                        {"ensemble", DecodingMode::ensemble}});
}

// models/search/intervention.h defines the kinds; none marks the translation that the others are compared with.
enum class InterventionKind { none, force, ablate, shuffle, word, weights };

constexpr auto names_of(InterventionKind) {
  return autograd::names<InterventionKind>({{"none", InterventionKind::none},
                                            {"force", InterventionKind::force},
                                            {"ablate", InterventionKind::ablate},
                                            {"shuffle", InterventionKind::shuffle},
                                            {"word", InterventionKind::word},
                                            {"weights", InterventionKind::weights}});
}

// Change is the change to one step of a translation. All numbers count from 0.
struct Change {
  InterventionKind kind = InterventionKind::none;
  std::optional<std::size_t> step = {}, source = {};
  std::optional<std::string> word = {};
};

// Original is the user's own text from which the words of one side were taken.
struct Original {
  std::string line;  // as the user wrote it
  Spans spans;       // the position of each word in the line; none if unknown
};

// Unknown has the positions of words that the model's vocabularies do not contain, or (with subwords) not completely.
// They count from 0, in rising order.
struct Unknown {
  std::vector<std::size_t> source, target;
};

// A record has T target words over S source words. If both sides have </s>, weights.matrix is (T+1) x (S+1).
struct Record {
  std::size_t id = 0;     // position in the input, from 0
  Tokens source, target;  // words without </s>; a source may have cells or sentences instead
  SourceKind source_kind = SourceKind::words;
  std::optional<Grid> source_grid = {};          // of cells
  std::optional<std::string> source_image = {};  // of cells: the picture, data:image/png;base64,..
  std::optional<std::string> question = {};      // the target answers this question
  bool source_eos = true;                        // the last column is </s>
  bool target_eos = true;                        // the last row is </s>; false if a search stopped at its length limit
  AttentionWeights weights;
  Attends attends = Attends::output;
  DecodingMode mode = DecodingMode::forced;
  Links links;                 // by the rule "argmax" (data/alignment/link_extraction.h)
  std::optional<Gold> gold;    // gold links of the reference; a free hypothesis has none
  std::vector<float> entropy;  // nats, one per row
  std::vector<float> logprob;  // nats, for each written token, one per row; empty if unknown
  std::optional<Original> source_original, target_original;
  std::optional<Unknown> unknown;    // none if no vocabulary was used
  std::vector<std::string> tags;     // of the pair in its corpus
  std::size_t rank = 0;              // in the n-best list, from 0
  std::optional<std::size_t> epoch;  // in a training history
  std::optional<Change> intervention;
};

// Returns the JSON's source_sent. It joins words and cells by a space, and sentences by " | ".
std::string join_source(const Record& record);

// Returns the first violation of the rules for source_kind, source_grid and source_image, or "" if there is none.
std::string problem_of_source(const Record& record);

// Returns the record of a blank line. It has no words, no </s> and no rows.
Record blank_record(std::size_t id);

// Returns H = - sum_s a_s ln a_s, in nats, with 0 ln 0 = 0.
float entropy(const std::vector<float>& weights);

// Computes links and entropy from the matrix. It takes links at shift 0 for Attends::output, and at shift 1 for
// Attends::input.
void complete(Record& record);

// Drops the row of the target's </s>. Use it for an answer, which is always one word.
void leave_end_out(Record& record);

// Returns the first violation of the schema, for example sizes that do not match, NaN, or a row that does not sum to 1.
// Returns "" if there is none.
std::string problem_of(const Record& record);

}  // namespace softalign::data
