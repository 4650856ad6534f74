// Links of two models of opposite direction made one set: Koehn, Och & Marcu 2003, "Statistical Phrase-Based
// Translation".
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/corpus/corpus.h"

namespace softalign::data {

// F: links that the model source -> target found, at most one a target word; B: those of target -> source, turned to
// source-target. All of intersection is in all others, and all of them in union.
//   intersection          F n B
//   union                 F u B
//   grow-diag-final-and   the intersection; grown: a link of the union beside one that is in, straight or diagonally,
//                         comes in if one of its words has no link yet, until no more do; at last those of F, then of
//                         B, of which neither word has a link
// The result is sorted. std::invalid_argument for another rule, naming the known ones, and for a link outside
// source_words x target_words.
Links symmetrise(const std::string& rule, const Links& forward, const Links& backward, size_t source_words,
                 size_t target_words);
const std::vector<std::string>& known_symmetrisations();

// target-source -> source-target, sorted.
Links transposed(const Links& links);

// The pairs as the model of the opposite direction reads them: source and target exchanged, gold links too.
std::vector<Pair> turned(std::vector<Pair> pairs);

}  // namespace softalign::data
