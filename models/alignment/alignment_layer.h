// The alignment layer is an attention from the words of a target text to the words of its source. The attention of a
// decoder does not know the word that the decoder will write next. This layer knows both texts, so it aligns them much
// better. The idea is from Garg et al. 2019, "Jointly learning to align and translate with Transformer models", and
// Zenkel et al. 2020, "End-to-end neural word alignment outperforms GIZA++". For a source x_1 .. x_J and a target y_1
// .. y_I:
//
//   e(w)    = E[w] + 1/sqrt(n) sum_g G[hash(g)]           the n character n-grams g of w; Bojanowski et al. 2017
//   k_j     = [e(x_j); tanh(conv(e(x))_j)]                conv: a convolution over three words
//   q_i     = [e(y_i); tanh(conv(e(y))_i)]
//   a_ij    = v' tanh(W q_i + b + U k_j) + e(y_i)' B e(x_j) - 8 exp(p) |i/(I+1) - j/(J+1)| + jump_ij
//   jump_ij = sum_j' l_(i-1)j' w_(j-j') + r_(i+1)j' z_(j-j')    location-aware attention; Chorowski et al. 2015
//   alpha_i = softmax_j(a_ij), also over </s>, "no word"; beta_j = softmax_i(a_ij), also over u' k_j + c for "no word"
//   gamma_ij ~ alpha_ij beta_ij, gamma_i0 ~ alpha_i0 prod_j (1 - beta_ij): the weights of row i; Liang et al. 2006
//
// E[w] is the vector of word w, and e(w) also uses its n-grams. k_j and q_i describe source word j and target word i in
// context. a_ij is the score of both words. Its four terms compare the words in context, compare the words alone,
// prefer the diagonal, and prefer short jumps between the links of neighbouring words. alpha and beta are the weights
// of both directions, and gamma combines them; ~ means proportional to. gamma_i0 is the weight of "no word". E, G, W,
// U, B, v, b, p, w, z, u, c and the convolution are learned.
//
// The vector l_(i-1) says where the last linked word before y_i is aligned, and r_(i+1) where the next linked word
// after y_i is. w and z have one number per jump of at most 5 words, and one number for all longer jumps. For </s>, one
// learned bias replaces the last two terms of a_ij.
//
// Both languages share the table G, so names and cognates have similar vectors from the start. For the same reason, B
// is initialised near the identity. Rare and unknown words have no row in the table E. The layer knows them only by
// their character n-grams.
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
  std::size_t embedding = 128;  // size of e(w)
  std::size_t hidden = 256;     // rows of v
  std::size_t grams = 1 << 15;  // rows of G
};

// Returns the rows of the table G that the character n-grams of a word use. The n-grams have n = 2 .. 5 code points.
// They also contain a mark before the word (^) and after it ($), so "an" has the n-grams ^a, an, n$, ^an, an$ and ^an$.
// The hash is FNV-1a. Code points after the first 64 of a word are ignored.
Ids gram_rows(const std::string& word, std::size_t grams);

// AlignmentSide has all source texts or all target texts of a batch of B pairs (not the matrix B), in the form that the
// layer reads. Each different word of these texts has one row of `word` and `known`, and so has the end-of-sentence
// token
// </s>.
struct AlignmentSide {
  std::size_t steps = 0;             // length of the longest text, with </s>
  std::vector<std::size_t> lengths;  // (B) number of words of each text, without </s>
  Ids place;                         // (steps*B) the row of the word at step t of text b: t*B + b
  Ids word;                          // the entry of each row in the vocabulary
  Array known;                       // (rows, 1) 1, or 0 for a word that the vocabulary does not have
  struct Group {                     // a group of rows whose words have the same number of n-grams
    std::size_t rows, grams;
    Ids of_grams;  // (rows*grams)
  };
  std::vector<Group> groups;
};

// AlignmentBatch has B pairs of texts to align. Pair b has source.lengths[b] and target.lengths[b] words.
struct AlignmentBatch {
  AlignmentSide source, target;
  std::size_t size() const { return source.lengths.size(); }
};

class AlignmentLayer {
 public:
  AlignmentLayer(data::Vocabulary source, data::Vocabulary target, const AlignmentLayerOptions& options,
                 const Random& random);

  AlignmentBatch batch(const std::vector<const data::Pair*>& pairs) const;

  // Output has the scores of a batch. T = target.steps - 1 is the number of words of the longest target. S =
  // source.steps is the number of words of the longest source, plus 1 for </s>. The scores do not contain the term
  // jump_ij, which depends on earlier alignments.
  struct Output {
    Var scores;   // (T*B, S) a_ij, row t*B + b
    Var nothing;  // (S, B, 1) u' k_j + c
  };
  Output operator()(const AlignmentBatch& batch, double dropout = 0, Random* random = nullptr) const;

  // Returns the term jump_ij of the scores, which prefers short jumps. `last` and `next` (T*B, S) have one row for each
  // of T target words in B pairs, with one number per source position. The row of a target word in `last` shows the
  // source position of the nearest earlier target word that has a link, and in `next` that of the nearest later one. If
  // there is no such word, the row has only zeros.
  Var jumps(const Array& last, const Array& next) const;

  // Aligned has the alignment of one pair. The matrix `weights` has one row per target word and one for </s>. It has
  // one column per source word and one for </s>. The row of </s> has all its weight on the source's </s>. The weights
  // are the softmax of `scores`. The scores of a word depend on the weights of its neighbours, and these depend on the
  // scores of the word. Therefore the layer computes all weights several times (mean-field inference).
  struct Aligned {
    data::Matrix weights, scores;
  };
  std::vector<Aligned> align(const std::vector<const data::Pair*>& pairs) const;

  const autograd::Params& params() const { return params_; }
  const data::Vocabulary& source() const { return source_words_; }
  const data::Vocabulary& target() const { return target_words_; }

  // The share of this layer in the combined weights (models/alignment/combined_weights.h). A new layer has 1.
  double share() const { return share_; }
  void set_share(double share) { share_ = share; }

  // save writes the parameters, the words and the share of a layer to a file. load reads such a file, and throws
  // data::Error if the file is damaged or does not contain an alignment layer.
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
  double share_ = 1;
  autograd::Params params_;
  Var source_, target_;                                        // the table E of each language
  Var grams_;                                                  // G
  layers::Convolution source_neighbours_, target_neighbours_;  // conv
  layers::Linear query_;                                       // W, b
  Var U_, v_, B_;
  Var distance_;            // p
  Var null_;                // the bias of </s>
  Var jump_, next_jump_;    // w and z: the jumps of -5 .. 5, and one number for other jumps
  layers::Linear nothing_;  // u, c
};

}  // namespace softalign::models
