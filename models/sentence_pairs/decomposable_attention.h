// Decomposable attention compares two sentences word by word and sums the comparisons. It predicts whether a hypothesis
// follows from a premise. It is from Parikh et al. 2016. For sentences a of m words and b of n words:
//
//   e_ij = F(a_i)' F(b_j)                                             eq. 1
//   beta_i = sum_j softmax_j(e_ij) b_j   alpha_j = sum_i softmax_i(e_ij) a_i   eq. 2
//   v1_i = G([a_i; beta_i])   v2_j = G([b_j; alpha_j])                eq. 3
//   v1 = sum_i v1_i   v2 = sum_j v2_j                                 eq. 4
//   y = H([v1; v2])                                                   eq. 5
//   f_ij = F_i(a_i)' F_i(a_j)                                         eq. 6, intra-sentence attention (section 3.4)
//   a'_i = sum_j softmax_j(f_ij + d_|i-j|) a_j                        eq. 7
//
// a_i and b_j are word embeddings. F, G, H and F_i are networks of two layers; the i in F_i stands for
// "intra-sentence". A prime after a bracket, as in F(a_i)', means the transpose. e_ij is the score of the words a_i and
// b_j, and softmax_j is a softmax over all j. beta_i is the part of sentence b that belongs to a_i, and v1_i compares
// both. y classifies the pair. With intra-sentence attention, each word first attends to the words of its own sentence.
// a'_i is the result of this attention, and [a_i; a'_i] replaces a_i in eq. 1 to 3. Sentence b is treated like a.
// d_|i-j| is a learned bias per distance.
//
// The network F is applied to each word (m + n times), and not to each pair of words (m n times). This is the
// decomposition.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "layers/dense/embedding.h"
#include "layers/dense/linear.h"
#include "models/one_word.h"
#include "models/seq2seq.h"

namespace softalign::models {

using autograd::Ids;
using autograd::Var;

// SentencePairs has B pairs of sentences. Word i of pair b is entry i*B + b of `a` or `b`. Entries after the end of a
// sentence have no meaning.
struct SentencePairs {
  std::size_t m = 0, n = 0, B = 0;
  Ids a, b;                                       // (m*B), (n*B)
  std::vector<std::size_t> a_lengths, b_lengths;  // (B)
};

class DecomposableAttention {
 public:
  struct Options {
    std::size_t words = 0, labels = 0;    // V words; if labels is 0, the network computes no logits
    std::size_t width = 48, hidden = 64;  // d, of F, G and H
    bool intra = false;                   // eq. 6 and 7
    bool uniform = false;                 // all scores e_ij are 0, so all words get the same weight
  };
  DecomposableAttention(const Options& options, const autograd::Params& p);

  struct Output {
    Var logits;            // (B, V)
    Var of_a;              // (B, m, n) softmax over b's words
    Var of_b;              // (B, n, m) softmax over a's words
    Var judged;            // (B, h) H([v1; v2])
    Var v1, v2;            // (B, m, h), (B, n, h) 0 where there is no word
    Var among_a, among_b;  // (B, m, m), (B, n, n) softmax of f_ij + d_|i-j|; undefined without intra-sentence attention
  };
  Output operator()(const SentencePairs& pairs) const;

 private:
  struct TwoLayers {  // relu(W_2 relu(W_1 x + b_1) + b_2)
    layers::Linear first, second;
    TwoLayers(const autograd::Params& p, std::size_t in, std::size_t hidden, const layers::InitialiserConfig& init);
    Var operator()(const Var& x) const;
  };
  struct Sentence {
    Var words;  // (B, n, d), or (B, n, 2d) with intra-sentence attention
    Var among;  // (B, n, n)
  };
  Sentence read(const Ids& words, const std::vector<std::size_t>& lengths) const;

  Options options_;
  layers::InitialiserConfig initialiser_ = layers::initialiser_config(layers::InitialiserKind::standard);
  layers::Embedding words_;
  std::optional<TwoLayers> F_i_;
  std::optional<layers::Embedding> distances_;  // bias d for distances of 0 .. 10 words and for larger ones
  TwoLayers F_, G_, H_;
  std::optional<layers::Linear> output_;
};

// Label is the decoder. It writes the class of the sentence pair as one word, and does not attend while it writes.
// Instead, the alignment shows how much each word i of the two sentences contributes to the sums of the comparison
// vectors (eq. 4):
//
//   alignment_i = sum_k v_ik / sum_j sum_k v_jk
//
// v_ik >= 0 is element k of the comparison vector of word i. The sum over j goes over the words of both sentences.
class Label : public OneWord {
 public:
  Label(const ModelOptions& options, const autograd::Params& p, const layers::InitialiserConfig& init)
      : words_({}, options, options.hidden, p, init) {}
  // Stores two arrays for B sentence pairs. readout (B, H) has one vector of H numbers per pair, from which the decoder
  // predicts the class. alignment (B, S) says how much each of the S words of a pair contributes to this vector.
  Memory memory(const std::vector<std::size_t>& places, const Var& readout, const Var& alignment) const;
  bool has_scores() const override { return false; }

 private:
  struct ReadoutAndAlignment {
    Var readout, alignment;
  };
  Answer answer(const Memory& memory, const Ids& sources, const Training* training) const override;
  const TargetEmbedding& words() const override { return words_; }

  TargetEmbedding words_;
};

class Parikh : public Seq2Seq {
 public:
  Parikh(const ModelOptions& options, const autograd::Params& p);
  const Decoder& decoder() const override { return decoder_; }
  // Returns the attention weights of the words of both sentences. The separator between the sentences counts as a word
  // that attends to itself. One head attends to the other sentence. With intra-sentence attention, a second head
  // attends to the same sentence.
  std::vector<Heads> self_attention(const Batch& batch) const override;

 private:
  Memory read(const Batch& batch, const Training* training) const override;

  layers::InitialiserConfig initialiser_ = layers::initialiser_config(layers::InitialiserKind::standard);
  DecomposableAttention compare_;
  Label decoder_;
};

}  // namespace softalign::models
