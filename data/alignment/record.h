// The alignment record, schema softalign/1: one sentence pair with its attention as one JSON object on one line. It is
// what align writes and a viewer reads, and a superset of the Nematus scorer's JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/alignment/weights.h"
#include "data/corpus/corpus.h"

namespace data {

// What was changed in one step of a translation, all counted from 0 (models/search/intervention.h).
struct Change {
  std::string kind;  // none force ablate shuffle word
  std::optional<size_t> step = {}, source = {};
  std::optional<std::string> word = {};
};

// Words are T target words over S source words; with both </s> the weights' matrix is (T+1) x (S+1).
struct Record : Weights {
  size_t id = 0;                   // position in the input, from 0
  Tokens source, target;           // words, without </s>
  bool source_eos = true;          // the last column is </s>
  bool target_eos = true;          // the last row is </s>; false if a search stopped at its length limit
  std::string attends = "output";  // the word a row belongs to: "output", written at that step, or "input", read at it
  std::string mode = "forced";     // greedy beam forced sampled ensemble
  Links links;                     // by the rule "argmax" (data/alignment/argmax_links.h)
  std::optional<Gold> gold;        // of the reference; a free hypothesis has none
  std::vector<float> entropy;      // nats, one a row
  std::vector<float> logprob;      // nats, of each written token, one a row; empty if not known
  size_t rank = 0;                 // in the n-best list, from 0
  std::optional<size_t> epoch;     // in a training history
  std::optional<Change> intervention;
};

// H = - sum_s a_s ln a_s, in nats, with 0 ln 0 = 0.
float entropy(const std::vector<float>& weights);

// Fills links and entropy from the matrix; links are taken at shift 0 for "output", 1 for "input".
void complete(Record& record);

// What breaks the rules of the schema: sizes that do not fit, NaN, a row that does not sum to 1 ... "" if nothing does.
std::string problem_of(const Record& record);

}  // namespace data
