// Alignment layer: an attention from the words of a target text to those of its source. A decoder's attention has not
// read the word that it is about to write; this layer knows it, so it aligns real text far better. Garg et al. 2019,
// "Jointly learning to align and translate with Transformer models"; Zenkel et al. 2020, "End-to-end neural word
// alignment outperforms GIZA++". With a source x_1 .. x_J and a target y_1 .. y_I:
//
//   e(w)    = E[w] + 1/sqrt(n) sum_g G[hash(g)]           the n character n-grams g of w; Bojanowski et al. 2017
//   k_j     = [e(x_j); tanh(conv(e(x))_j)]                conv: a convolution over three words
//   q_i     = [e(y_i); tanh(conv(e(y))_i)]
//   a_ij    = v' tanh(W q_i + b + U k_j) + e(y_i)' B e(x_j) - 8 exp(p) |i/(I+1) - j/(J+1)| + jump_ij
//   jump_ij = sum_j' l_(i-1)j' w_(j-j')                   location-aware attention; Chorowski et al. 2015
//   alpha_i = softmax_j(a_ij), also over </s>, "no word"; beta_j = softmax_i(a_ij), also over u' k_j + c for "no word"
//   gamma_ij ~ alpha_ij beta_ij, gamma_i0 ~ alpha_i0 prod_j (1 - beta_ij): the weights of row i; Liang et al. 2006
//
// l_(i-1) is where the last linked word before y_i was aligned. w has a number for each jump of at most 5 words, and
// one for all others. For </s> the last two terms of a_ij are one number, its bias. Both languages share G, so that
// names and cognates are similar from the start; therefore B is initialised near the identity. E has no row for rare
// words, which are read by their n-grams only, as unknown words are.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "autograd/params.h"
#include "autograd/random.h"
#include "autograd/var.h"
#include "data/alignment/attention_weights.h"
#include "data/corpus/corpus.h"
#include "data/corpus/vocabulary.h"
#include "layers/convolution/convolution.h"
#include "layers/dense/linear.h"

namespace softalign::models {

using autograd::Array;
using autograd::Ids;
using autograd::Random;
using autograd::Var;

struct AlignmentLayerOptions {
  std::size_t embedding = 128;  // numbers of e(w)
  std::size_t hidden = 256;     // rows of v
  std::size_t grams = 1 << 15;  // rows of G
};

// The rows of G that a word's n-grams have: n = 2 .. 5 code points of "^word$", by FNV-1a. Only the first 64 code
// points of a word are read.
Ids gram_rows(const std::string& word, std::size_t grams);

// A text for each of B pairs as the layer reads it. Each different word of the batch has a row; </s> is one of them.
struct AlignmentSide {
  std::size_t steps = 0;             // the longest text with its </s>
  std::vector<std::size_t> lengths;  // (B) words of each, without </s>
  Ids place;                         // (steps*B) the row of the word at step t of text b: t*B + b
  Ids word;                          // of each row, its entry in the vocabulary
  Array known;                       // (rows, 1) 1, or 0 for a word that the vocabulary does not have
  struct Group {                     // the rows of words that have equally many n-grams follow each other
    std::size_t rows, grams;
    Ids of_grams;  // (rows*grams)
  };
  std::vector<Group> groups;
};

// Texts of two languages to align: pair b is source.lengths[b] words and target.lengths[b] words.
struct AlignmentBatch {
  AlignmentSide source, target;
  std::size_t size() const { return source.lengths.size(); }
};

class AlignmentLayer {
 public:
  AlignmentLayer(data::Vocabulary source, data::Vocabulary target, const AlignmentLayerOptions& options,
                 const Random& random);

  AlignmentBatch batch(const std::vector<const data::Pair*>& pairs) const;

  // Output is what the layer computes of a batch with T = target.steps - 1 words and S = source.steps positions, </s>
  // included. `scores` lacks jump_ij.
  struct Output {
    Var scores;   // (T*B, S) a_ij, row t*B + b
    Var nothing;  // (S, B, 1) u' k_j + c
  };
  Output operator()(const AlignmentBatch& batch, double dropout = 0, Random* random = nullptr) const;

  // jump_ij for l (T*B, S), rows of words or of 0.
  Var jumps(const Array& last) const;

  // gamma of each pair: a row for each target word and one for </s>, whose weight is on the source's </s>; a column for
  // each source word and one for </s>. l_(i-1) are alpha of the word before. Weights are the softmax of `scores`.
  struct Aligned {
    data::Matrix weights, scores;
  };
  std::vector<Aligned> align(const std::vector<const data::Pair*>& pairs) const;

  const autograd::Params& params() const { return params_; }
  const data::Vocabulary& source() const { return source_words_; }
  const data::Vocabulary& target() const { return target_words_; }

  // The file of a layer: its parameters and words. load: data::Error if it is damaged or no such file.
  void save(const std::string& path) const;
  static AlignmentLayer load(const std::string& path);

 private:
  // `table` initialises E and G.
  AlignmentLayer(data::Vocabulary source, data::Vocabulary target, const AlignmentLayerOptions& options,
                 const Random& random, const layers::Initialiser& table);

  AlignmentSide side(const std::vector<const data::Pair*>& pairs, data::Tokens data::Pair::*words,
                     const data::Vocabulary& vocabulary) const;
  Var embedded(const AlignmentSide& side, const Var& own, double dropout, Random* random) const;

  data::Vocabulary source_words_, target_words_;
  AlignmentLayerOptions options_;
  autograd::Params params_;
  Var source_, target_;                                        // E of either language
  Var grams_;                                                  // G
  layers::Convolution source_neighbours_, target_neighbours_;  // conv
  layers::Linear query_;                                       // W, b
  Var U_, v_, B_;
  Var distance_;            // p
  Var null_;                // the bias of </s>
  Var jump_;                // w_-5 .. w_5, and that of other jumps
  layers::Linear nothing_;  // u, c
};

}  // namespace softalign::models
