#include "models/named_options.h"

#include "models/encoder.h"
#include "models/registry.h"

namespace softalign::models {

namespace {

const Rule size = between(1, 100000);

// Before encoders could be chosen this option was luong's direction.
const std::vector<std::string> old_encoders{"bidirectional", "unidirectional"};

Table attention_table(ModelOptions& o) {
  return {
      {"attention", &o.attention, "score of the attention; by default " + describe_attentions()},
      {"attention-window", &o.attention_window,
       "source positions that a step may attend to: all (global), or a window around the step's own (local-m) or a "
       "predicted one (local-p)"},
      {"window", &o.window, "D: words on each side of a local attention window's centre", size},
      {"scale", &o.scale, "divide dot and general scores by the root of the hidden size"},
      {"heads", &o.heads, "heads of attention qkv, and of each layer of a transformer", between(1, 1024)},
      {"hops", &o.hops, "memory-network: how often it looks at the story", between(1, 16)},
      {"hop-tying", &o.hop_tying,
       "memory-network: embeddings that hops share: the values of one are the keys of the next (adjacent), or all hops "
       "have the same ones, with a linear map between hops (layer-wise)"},
      {"intra-sentence", &o.intra_sentence, "decomposable: words look at their own sentence before they are compared"},
      {"coverage", &o.coverage, "show additive and concat scores how much each word was looked at so far"},
      {"attention-size", &o.attention_size, "size of the attention's hidden layer, or of qkv's queries", size},
      {"hard-attention",
       &o.hard_attention,
       "show-attend-tell: each word attends to one place, which is sampled and learnt by REINFORCE, and not to the "
       "mean "
       "of all places (soft attention). Old names: --look hard, --look soft",
       {.words = {"soft", "hard"}}},
  };
}

Table network_table(ModelOptions& o) {
  return {
      {"cell", &o.cell, "recurrent unit, of encoder and decoder"},
      {"encoder",
       &o.encoder,
       "what reads the source; by default what the model was made with: the cell both ways, or a transformer's layers; "
       "lstmn looks back at all of its states; convolution and transformer have defaults of their own in another model "
       "(--dry-run); picture reads pictures",
       {.names = known_encoders(), .also = old_encoders}},
      {"picture-height", &o.picture_height,
       "encoder picture: pixels that pictures are brought to; by default those of the first one, at most 64",
       between(4, 512)},
      {"picture-width", &o.picture_width, "the same", between(4, 512)},
      {"embedding", &o.embedding, "size of the word embeddings", size},
      {"hidden", &o.hidden, "size of states, or d", size},
      {"layers", &o.layers, "depth a side (some decoders 1)", between(1, 64)},
      {"residual", &o.residual, "add to each layer's states, but the first's, what it read"},
      {"tie", &o.tie, "one table for target words and output (target), or for source words too (all)"},
      {"readout", &o.readout, "rnnsearch, encdec every-step: size of the layer before the output", size},
      {"readout-kind", &o.readout_kind, "kind of the layer before the output"},
      {"readout-state", &o.readout_state,
       "rnnsearch: the state that the layer before the output reads, s_i (current) or s_{i-1} (previous)"},
      {"initial-state", &o.initial_state,
       "rnnsearch: initial decoder state from the encoder's backward last state, or from both ends"},
      {"query-word", &o.query_word,
       "rnnsearch: the attention asks with the previous word too; it then rests less on </s>, and often aligns better"},
      {"unidirectional", &o.unidirectional, "luong: the encoder reads one way, as in the paper, and not both"},
      {"input-feeding", &o.input_feeding, "luong: the decoder reads its last attentional state"},
      {"reverse-source", &o.reverse_source, "encdec, luong unidirectional: read the source from its last word on"},
      {"summary", &o.summary,
       "encdec: the source's vector is shown once (Sutskever et al.) or every step (Cho et al.)"},
      {"fusion", &o.fusion,
       "lstmn: what it finds in the source goes into the gates (shallow), or the source's cells into its own (deep)"},
      {"feed-forward", &o.feed_forward, "transformer, also as encoder: size of the feed-forward networks' hidden layer",
       size},
      {"norm", &o.norm,
       "transformer, also as encoder: layer norm before each sub-layer or, as in the paper, after its residual"},
      {"positions", &o.positions,
       "transformer, encoder convolution: what tells words' positions: sinusoids or learned vectors added to them, "
       "nothing, rotary position embeddings, RoPE, of queries and keys (rotary; relative is its old name), or "
       "sinusoids "
       "concatenated to the words and both projected (concatenated). By default rotary where queries and keys can be "
       "rotated, sinusoidal elsewhere"},
      {"self-attention", &o.self_attention,
       "transformer, also as encoder: how words of one side look at each other: scaled products of queries and keys "
       "(softmax), products of their features (linear), fast weights by the delta rule, or by their places alone "
       "(positional, factorized)"},
      {"alignment-by", &o.alignment_by,
       "transformer: what alignments are read off, in the mean over all layers: what each word adds to the context "
       "(norms, Kobayashi et al. 2020), or the mean weight of the heads"},
      {"dropout", &o.dropout, "share of units left out", between(0, 0.99)},
      {"variational-dropout", &o.variational_dropout, "leave out the same units in every step of a sentence"},
      {"initialiser", &o.initialiser,
       "first weights; by default luong for rnnsearch's and lstmn's additive and luong's unscaled dot and general, "
       "transformer for the transformer, default for all else"},
      {"source-vocabulary", &o.source_vocabulary, "source words", between(1, many), false},
      {"target-vocabulary", &o.target_vocabulary, "target words", between(1, many), false},
      {"known-positions", &o.known_positions,
       "positions that attention location, learned positions and positional self-attention know",
       between(1, longest_sentence + 1), false},
  };
}

}  // namespace

Table table(ModelOptions& o) {
  const Table model{{"model", &o.model, describe_models(), {.names = known_models(), .also = known_authors()}}};
  return in_group("Model", model) + in_group("Attention", attention_table(o)) + in_group("Model", network_table(o));
}

}  // namespace softalign::models
