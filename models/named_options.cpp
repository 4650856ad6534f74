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
      {"attention", &o.attention, "attention score function; by default " + describe_attentions()},
      {"attention-window", &o.attention_window,
       "source positions that a decoder step may attend to: all (global), or a window around the same position "
       "(local-m) or around a predicted position (local-p)"},
      {"window", &o.window, "D: words on each side of a local attention window's centre", size},
      {"scale", &o.scale, "divide dot and general scores by the square root of the hidden size"},
      {"heads", &o.heads, "number of heads of --attention qkv, and of each Transformer layer", between(1, 1024)},
      {"hops", &o.hops, "memory-network: number of hops (attention steps) over the story", between(1, 16)},
      {"hop-tying", &o.hop_tying,
       "memory-network: how hops share embeddings: the values of one hop are the keys of the next hop (adjacent), or "
       "all hops use the same embeddings, with a linear map between hops (layer-wise)"},
      {"intra-sentence", &o.intra_sentence,
       "decomposable: self-attention over each sentence before words are compared"},
      {"coverage", &o.coverage,
       "coverage: additive and concat scores also see how much attention each source word has received so far"},
      {"attention-size", &o.attention_size,
       "size of the hidden layer of the score, or of the queries of --attention qkv", size},
      {"hard-attention",
       &o.hard_attention,
       "show-attend-tell: hard attention, in which each word attends to one sampled cell and is trained with "
       "REINFORCE; without it soft attention, the weighted mean of all cells. Old names: --look hard, --look soft",
       {.words = {"soft", "hard"}}},
  };
}

Table network_table(ModelOptions& o) {
  return {
      {"cell", &o.cell, "recurrent unit of encoder and decoder"},
      {"encoder",
       &o.encoder,
       "encoder; by default the one of the model: a bidirectional network of --cell, or Transformer layers. lstmn is "
       "an LSTM with intra-attention, picture reads pictures. In another model, convolution and transformer have their "
       "own defaults (see --dry-run)",
       {.names = known_encoders(), .also = old_encoders}},
      {"picture-height", &o.picture_height,
       "encoder picture: height in pixels that pictures are scaled to; by default the height of the first picture, at "
       "most 64",
       between(4, 512)},
      {"picture-width", &o.picture_width, "the same", between(4, 512)},
      {"embedding", &o.embedding, "size of the word embeddings", size},
      {"hidden", &o.hidden, "size of the hidden states", size},
      {"layers", &o.layers, "layers per side", between(1, 64)},
      {"residual", &o.residual, "residual connections from the second layer on"},
      {"tie", &o.tie,
       "share one embedding table between target words and output layer (target), or between source words, target "
       "words and output layer (all)"},
      {"readout", &o.readout, "rnnsearch, encdec with --summary every-step: size of the layer before the output", size},
      {"readout-kind", &o.readout_kind, "kind of the layer before the output"},
      {"readout-state", &o.readout_state,
       "rnnsearch: decoder state that the layer before the output reads, s_i (current) or s_{i-1} (previous)"},
      {"initial-state", &o.initial_state,
       "rnnsearch: initial decoder state from the last state of the backward encoder, or from the last states of both "
       "directions"},
      {"query-word", &o.query_word,
       "rnnsearch: the attention query includes the previous target word; this lowers the attention on </s> and often "
       "gives better alignments"},
      {"unidirectional", &o.unidirectional, "luong: unidirectional encoder, as in the paper"},
      {"input-feeding", &o.input_feeding, "luong: the decoder also reads its previous attentional state"},
      {"reverse-source", &o.reverse_source, "encdec, luong --unidirectional: read the source in reverse order"},
      {"summary", &o.summary,
       "encdec: the decoder reads the context vector once (Sutskever et al.) or at every step (Cho et al.)"},
      {"fusion", &o.fusion,
       "lstmn: feed the attention over the source to the gates (shallow), or also add the attended source cells to the "
       "cell of the decoder (deep)"},
      {"feed-forward", &o.feed_forward, "transformer, also as encoder: hidden size of the feed-forward networks", size},
      {"norm", &o.norm,
       "transformer, also as encoder: layer norm before each sub-layer (pre), or after its residual connection (post, "
       "as in the paper)"},
      {"positions", &o.positions,
       "transformer, encoder convolution: position encoding: sinusoids or learned vectors that are added to the words, "
       "none, rotary position embeddings (RoPE), which rotate queries and keys (rotary; old name: relative), or sinusoids "
       "that are concatenated to the words and projected (concatenated). By default rotary if the attention has queries "
       "and keys, else sinusoidal"},
      {"self-attention", &o.self_attention,
       "transformer, also as encoder: kind of self-attention: scaled dot products (softmax), linear attention "
       "(linear), fast weights with the delta rule (delta), or weights that depend only on positions (positional; "
       "factorized: of low rank)"},
      {"alignment-by", &o.alignment_by,
       "transformer: alignments are computed from the norm of each word's contribution to the context vector (norms, "
       "Kobayashi et al. 2020) or from the mean weight of the heads (weights); both are means over all layers"},
      {"dropout", &o.dropout, "dropout probability", between(0, 0.99)},
      {"variational-dropout", &o.variational_dropout, "use the same dropout mask at every step of a sentence"},
      {"initialiser", &o.initialiser,
       "initial weights; by default luong for the additive score of rnnsearch and lstmn and for the unscaled dot and "
       "general scores of luong, transformer for the Transformer, and default otherwise"},
      {"source-vocabulary", &o.source_vocabulary, "source words", between(1, many), false},
      {"target-vocabulary", &o.target_vocabulary, "target words", between(1, many), false},
      {"known-positions", &o.known_positions,
       "most positions of --attention location, learned positions and positional self-attention",
       between(1, longest_sentence + 1), false},
  };
}

}  // namespace

Table table(ModelOptions& o) {
  const Table model{{"model", &o.model, describe_models(), {.names = known_models(), .also = known_authors()}}};
  return in_group("Model", model) + in_group("Attention", attention_table(o)) + in_group("Model", network_table(o));
}

}  // namespace softalign::models
