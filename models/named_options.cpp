#include "models/named_options.h"

#include "models/encoder.h"
#include "models/families.h"

namespace softalign::models {

namespace {

const Rule size = between(1, 100000);

Table attention_table(ModelOptions& o) {
  return {
      {"attention", &o.attention, "attention score function. Default: " + describe_attentions()},
      {"attention-window", &o.attention_window,
       "source positions that a decoder step may attend to. `global`: all positions; `local-m`: a window around the "
       "position of the step; `local-p`: a window around a position that the model predicts"},
      {"window", &o.window,
       "number of words on each side of the centre of a local attention window (--attention-window)", size},
      {"scale", &o.scale, "divide the scores of --attention dot and general by the square root of the hidden size"},
      {"heads", &o.heads, "number of heads of --attention qkv and of each Transformer layer", between(1, 1024)},
      {"hops", &o.hops, "only for --model memory-network: number of hops (attention steps) over the story",
       between(1, 16)},
      {"hop-tying", &o.hop_tying,
       "only for --model memory-network: how hops share embeddings. `adjacent`: the values of one hop are the keys of "
       "the next hop; "
       "`layer-wise`: all hops use the same embeddings, with a linear map between hops"},
      {"hop-relu", &o.hop_relu,
       "only for --model memory-network: apply ReLU to half of the units after each hop (Sukhbaatar et al. 2015, "
       "section 5)"},
      {"intra-sentence", &o.intra_sentence,
       "only for --model decomposable: apply self-attention to each sentence before the model compares the words"},
      {"coverage", &o.coverage,
       "only for --attention additive and concat: the scores also read how much attention each source word has "
       "received so far (coverage)"},
      {"attention-size", &o.attention_size,
       "size of the hidden layer that computes the attention score. With --attention qkv, the size of the queries",
       size},
      {"hard-attention", &o.hard_attention,
       "only for --model show-attend-tell: use hard attention. Each word then attends to one sampled cell of the "
       "picture, and REINFORCE trains the model. Without hard attention, each word reads the weighted mean of all "
       "cells"},
  };
}

Table network_table(ModelOptions& o) {
  return {
      {"cell", &o.cell, "recurrent unit of the encoder and of the decoder"},
      {"encoder",
       &o.encoder,
       "encoder. Default: the encoder of the model, which is a bidirectional network of --cell or a stack of "
       "Transformer layers. `lstmn`: an LSTM that attends to its own earlier states; `picture`: an encoder of "
       "pictures. The encoders `convolution` and `transformer` change the defaults of other options. train --dry-run "
       "prints these defaults",
       {.names = known_encoders()}},
      {"picture-height", &o.picture_height,
       "with --encoder picture: height in pixels to which pictures are scaled. Default: the height of the first "
       "picture, at most 64",
       between(4, 512)},
      {"picture-width", &o.picture_width,
       "with --encoder picture: width in pixels to which pictures are scaled. Default: the width of the first picture, "
       "at most 64",
       between(4, 512)},
      {"embedding", &o.embedding, "size of the word embeddings", size},
      {"hidden", &o.hidden, "size of the hidden states", size},
      {"layers", &o.layers, "layers of encoder and decoder", between(1, 64)},
      {"residual", &o.residual, "add residual connections to all layers except the first"},
      {"tie", &o.tie,
       "which layers share one embedding table. `none`: no layers; `target`: the target embedding and the output "
       "layer; `all`: the source embedding, the target embedding and the output layer"},
      {"readout", &o.readout,
       "only for --model rnnsearch, and encdec with --summary every-step: size of the layer before the output layer",
       size},
      {"readout-kind", &o.readout_kind,
       "only for --model rnnsearch, and encdec with --summary every-step: kind of the layer before the output layer"},
      {"readout-state", &o.readout_state,
       "only for --model rnnsearch: decoder state from which a step predicts its word. `current`: the state after the "
       "step; `previous`: the state before the step"},
      {"initial-state", &o.initial_state,
       "only for --model rnnsearch: encoder states from which the first decoder state is computed. `backward`: the "
       "last state of the backward direction; `both`: the last states of both directions"},
      {"query-word", &o.query_word,
       "only for --model rnnsearch: the attention query includes the previous target word. This lowers the attention "
       "to the end of the sentence (</s>), and often improves alignments"},
      {"source-bridging", &o.source_bridging,
       "only for --model rnnsearch: the decoder reads the embedding of each source word next to the encoder state of "
       "the word (Kuang et al. 2018)"},
      {"state-dropout", &o.state_dropout,
       "only for --model rnnsearch: apply --dropout to the encoder states that the decoder reads, too"},
      {"unidirectional", &o.unidirectional,
       "only for --model luong: the encoder reads the source only from left to right, as in the paper"},
      {"input-feeding", &o.input_feeding,
       "only for --model luong: each decoder step also reads the attention output of the previous step"},
      {"reverse-source", &o.reverse_source,
       "only for --model encdec, and luong with --unidirectional: read the source in reverse order"},
      {"summary", &o.summary,
       "only for --model encdec: when the decoder reads the context vector, which summarises the source. `once`: at "
       "its first step (Sutskever et al.); `every-step`: "
       "at every step (Cho et al.)"},
      {"fusion", &o.fusion,
       "only for --model lstmn: how the decoder uses its attention to the source. `shallow`: the gates read the "
       "attention output; `deep`: in addition, the attended memory cells of the encoder are added to the cell of the "
       "decoder"},
      {"feed-forward", &o.feed_forward,
       "only for --model transformer and --encoder transformer: hidden size of the feed-forward networks", size},
      {"norm", &o.norm,
       "only for --model transformer and --encoder transformer: place of the layer normalisation. `pre`: before each "
       "attention or feed-forward sub-layer; `post`: after the residual connection of each sub-layer, as in the paper"},
      {"positions", &o.positions,
       "only for --model transformer, and --encoder convolution or transformer: position encoding. `sinusoidal`: "
       "sinusoids are added to the word embeddings; `learned`: learned vectors are added to the word embeddings; "
       "`none`: the model does not know positions; `rotary`: queries and keys are rotated by an angle that grows with "
       "the position (RoPE); `concatenated`: sinusoids are appended to the word embeddings, and a linear layer reads "
       "both. Default: rotary if the attention has queries and keys, otherwise sinusoidal"},
      {"self-attention", &o.self_attention,
       "only for --model transformer and --encoder transformer: kind of self-attention. `softmax`: softmax of scaled "
       "dot products; `linear`: linear attention, which needs no softmax; `delta`: fast weights, in which a new value "
       "replaces the old value of a key (delta rule); `positional`: weights that depend only on positions; "
       "`factorized`: positional weights from two small matrices"},
      {"alignment-by", &o.alignment_by,
       "only for --model transformer: what an alignment is computed from. Both methods take the mean over all layers. "
       "`norms`: the length of the vector that each source word adds to the attention output (Kobayashi et al. 2020); "
       "`weights`: the mean attention weight of the heads"},
      {"dropout", &o.dropout, "dropout probability", between(0, 0.99)},
      {"variational-dropout", &o.variational_dropout, "use the same dropout mask at every step of a sentence"},
      {"initialiser", &o.initialiser,
       "distribution of the initial weights. If you do not give this option, the model chooses: `transformer` for the "
       "Transformer; `luong` for rnnsearch and lstmn with the additive score, and for luong with unscaled dot and "
       "general scores; `default` for all others. `paper`: the distribution of Bahdanau et al. 2015"},
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
