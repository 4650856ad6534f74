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
      {"attention", &o.attention, "attention score function. Default: " + describe_attentions()},
      {"attention-window", &o.attention_window,
       "source positions that a decoder step may attend to. `global`: all; `local-m`: a window around the position of "
       "the step; `local-p`: a window around a position that the model predicts"},
      {"window", &o.window, "half width D of a local attention window: words on each side of its centre", size},
      {"scale", &o.scale, "divide dot and general scores by the square root of the hidden size"},
      {"heads", &o.heads, "number of heads of --attention qkv and of each Transformer layer", between(1, 1024)},
      {"hops", &o.hops, "memory-network: number of hops (attention steps) over the story", between(1, 16)},
      {"hop-tying", &o.hop_tying,
       "memory-network: how hops share embeddings. `adjacent`: the values of one hop are the keys of the next hop; "
       "`layer-wise`: all hops use the same embeddings, with a linear map between hops"},
      {"intra-sentence", &o.intra_sentence,
       "decomposable: self-attention over each sentence before the model compares the words"},
      {"coverage", &o.coverage,
       "coverage: additive and concat scores also read how much attention each source word has received so far"},
      {"attention-size", &o.attention_size,
       "size of the hidden layer of the attention score, or of the queries of --attention qkv", size},
      {"hard-attention",
       &o.hard_attention,
       "show-attend-tell: hard attention: each word attends to one sampled cell, and training uses REINFORCE. With "
       "--no-hard-attention: soft attention, the weighted mean of all cells. Old names: --look hard, --look soft",
       {.words = {"soft", "hard"}}},
  };
}

Table network_table(ModelOptions& o) {
  return {
      {"cell", &o.cell, "recurrent unit of encoder and decoder"},
      {"encoder",
       &o.encoder,
       "encoder. Default: the encoder of the model, which is a bidirectional network of --cell or a stack of "
       "Transformer layers. `lstmn`: an LSTM with intra-attention; `picture`: reads pictures. The encoders "
       "`convolution` and `transformer` change the defaults of other options; train --dry-run prints the defaults",
       {.names = known_encoders(), .also = old_encoders}},
      {"picture-height", &o.picture_height,
       "--encoder picture: height in pixels to which pictures are scaled. Default: the height of the first picture, at "
       "most 64",
       between(4, 512)},
      {"picture-width", &o.picture_width,
       "--encoder picture: width in pixels to which pictures are scaled. Default: the width of the first picture, at "
       "most 64",
       between(4, 512)},
      {"embedding", &o.embedding, "size of the word embeddings", size},
      {"hidden", &o.hidden, "size of the hidden states", size},
      {"layers", &o.layers, "layers of encoder and of decoder", between(1, 64)},
      {"residual", &o.residual, "residual connections from the second layer on"},
      {"tie", &o.tie,
       "layers that share one embedding table. `none`: none; `target`: target embedding and output layer; `all`: "
       "source embedding, target embedding and output layer"},
      {"readout", &o.readout,
       "rnnsearch, and encdec with --summary every-step: size of the layer before the output layer", size},
      {"readout-kind", &o.readout_kind,
       "rnnsearch, and encdec with --summary every-step: kind of the layer before the output layer"},
      {"readout-state", &o.readout_state,
       "rnnsearch: decoder state from which step i predicts its word. `current`: s_i, the state after the step; "
       "`previous`: s_{i-1}, the state before the step"},
      {"initial-state", &o.initial_state,
       "rnnsearch: encoder states from which the initial decoder state is computed. `backward`: the last state of the "
       "backward direction; `both`: the last states of both directions"},
      {"query-word", &o.query_word,
       "rnnsearch: the attention query includes the previous target word. This query lowers the attention on </s> and "
       "often gives better alignments"},
      {"unidirectional", &o.unidirectional, "luong: unidirectional encoder, as in the paper"},
      {"input-feeding", &o.input_feeding, "luong: the decoder also reads its previous attentional state"},
      {"reverse-source", &o.reverse_source, "encdec, luong --unidirectional: read the source in reverse order"},
      {"summary", &o.summary,
       "encdec: when the decoder reads the context vector. `once`: at its first step (Sutskever et al.); `every-step`: "
       "at every step (Cho et al.)"},
      {"fusion", &o.fusion,
       "lstmn: how the decoder uses the attention over the source. `shallow`: as input of the gates; `deep`: as input "
       "of the gates, and the attended source cells are added to the decoder cell"},
      {"feed-forward", &o.feed_forward,
       "transformer, and --encoder transformer: hidden size of the feed-forward networks", size},
      {"norm", &o.norm,
       "transformer, and --encoder transformer: place of the layer norm. `pre`: before each sub-layer; `post`: after "
       "the residual connection of each sub-layer, as in the paper"},
      {"positions", &o.positions,
       "transformer, and --encoder convolution or transformer: position encoding. `sinusoidal`: sinusoids that are "
       "added to the word embeddings; `learned`: learned vectors that are added to the word embeddings; `none`: no "
       "positions; `rotary`: rotary position embeddings (RoPE), which rotate queries and keys; `relative`: old name of "
       "rotary; `concatenated`: sinusoids that are concatenated to the word embeddings and projected. Default: rotary "
       "if the "
       "attention has queries and keys, else sinusoidal"},
      {"self-attention", &o.self_attention,
       "transformer, and --encoder transformer: kind of self-attention. `softmax`: scaled dot products; `linear`: "
       "linear attention; `delta`: fast weights with the delta rule; `positional`: weights that depend only on "
       "positions; `factorized`: positional weights of low rank"},
      {"alignment-by", &o.alignment_by,
       "transformer: values from which alignments are computed, as means over all layers. `norms`: the norm of each "
       "word's contribution to the context vector (Kobayashi et al. 2020); `weights`: the mean weight of the heads"},
      {"dropout", &o.dropout, "dropout probability", between(0, 0.99)},
      {"variational-dropout", &o.variational_dropout, "use the same dropout mask at every step of a sentence"},
      {"initialiser", &o.initialiser,
       "distribution of the initial weights. Default: luong for the additive score of rnnsearch and lstmn and for the "
       "unscaled dot and general scores of luong; transformer for the Transformer; the value default for other models"},
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
