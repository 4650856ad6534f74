#include "apps/training/train_options.h"

#include "apps/cli/command_line.h"
#include "layers/attention/attention.h"
#include "layers/dense/readout.h"
#include "layers/recurrent/cell.h"
#include "models/registry.h"

namespace apps {

namespace {

void declare_corpus(CommandLine& line, TrainOptions& o) {
  line.add("data", &o.data, "folder with train.tsv and valid.tsv");
  line.add("train", &o.train, "TSV file to train on, in place of the folder's");
  line.add("valid", &o.valid, "TSV file to validate on, in place of the folder's");
  line.add("source", &o.source, "plain file to train on, a source sentence a line");
  line.add("target", &o.target, "its translations, line by line");
  line.add("alignment", &o.alignment, "its word alignments in Pharaoh form, if there are any");
  line.add("valid-source", &o.valid_source, "plain file to validate on");
  line.add("valid-target", &o.valid_target, "its translations");
  line.add("valid-alignment", &o.valid_alignment, "its word alignments, if there are any");
  line.add("one-based", &o.one_based, "the word alignments count words from 1, not from 0");
  line.add("tokenizer", &o.tokenizer,
           "words: split off punctuation and clitics; none: split at white space; sentencepiece: the same, and words "
           "into pieces that are learnt from the training pairs",
           one_of({"words", "none", "sentencepiece"}));
  line.add("lowercase", &o.lowercase, "bring text to lower case (not with tokenizer none)");
  line.add("pieces", &o.pieces.pieces, "of tokenizer sentencepiece: most pieces a side", between(10, 1000000));
  line.add("piece-model", &o.pieces.kind, "of tokenizer sentencepiece: how pieces are learnt",
           one_of({"unigram", "bpe"}));
  line.add("min-count", &o.vocabulary.min_count, "rarer words become <unk>", at_least(1));
  line.add("max-vocabulary", &o.vocabulary.max_size, "most frequent words kept a side", at_least(1));
  line.add("max-length", &o.max_length, "leave out training pairs with more words on a side", at_least(1));
}

void declare_model(CommandLine& line, models::ModelOptions& o) {
  line.add("model", &o.model,
           "rnnsearch: Bahdanau et al.; luong: Luong et al.; encdec: one vector for a whole sentence",
           one_of(models::known_models()));
  line.add("attention", &o.attention,
           "its score; by default additive for rnnsearch, general for luong, none for encdec",
           one_of(models::known_attentions()));
  line.add("scope", &o.scope,
           "where attention may look: everywhere, or in a window about the step or a predicted place",
           one_of(layers::known_scopes()));
  line.add("window", &o.window, "words on each side of a local scope's centre", between(1, 100000));
  line.add("scale", &o.scale, "divide dot and general scores by the root of the hidden size");
  line.add("heads", &o.heads, "heads of attention qkv", between(1, 1024));
  line.add("coverage", &o.coverage, "show additive and concat scores how much each word was looked at so far");
  line.add("attention-size", &o.attention_size, "size of the attention's hidden layer, or of qkv's queries",
           between(1, 100000));
  line.add("cell", &o.cell, "recurrent unit", one_of(layers::known_cells()));
  line.add("embedding", &o.embedding, "size of the word embeddings", between(1, 100000));
  line.add("hidden", &o.hidden, "size of the recurrent states", between(1, 100000));
  line.add("layers", &o.layers, "depth of the encoder, and of the decoder of luong and encdec", between(1, 64));
  line.add("residual", &o.residual, "add to each layer's states, but the first's, what it read");
  line.add("tie", &o.tie, "one table for target words and output (target), or for source words too (all)",
           one_of({"none", "target", "all"}));
  line.add("readout", &o.readout, "rnnsearch, encdec every-step: size of the layer before the output",
           between(1, 100000));
  line.add("readout-kind", &o.readout_kind, "that layer", one_of(layers::known_readouts()));
  line.add("readout-state", &o.readout_state,
           "rnnsearch: the state that layer reads, s_i (current) or s_{i-1} (previous)",
           one_of({"current", "previous"}));
  line.add("start", &o.start,
           "rnnsearch: first decoder state from the encoder's backward last state, or from both ends",
           one_of({"backward", "both"}));
  line.add(
      "query-word", &o.query_word,
      "rnnsearch: the attention asks with the previous word too; it then rests less on </s>, and often aligns better");
  line.add("encoder", &o.encoder, "luong: direction of the encoder", one_of({"bidirectional", "unidirectional"}));
  line.add("input-feeding", &o.input_feeding, "luong: the decoder reads its last attentional state");
  line.add("reverse-source", &o.reverse_source, "encdec, luong unidirectional: read the source from its last word on");
  line.add("summary", &o.summary,
           "encdec: the source's vector is shown once (Sutskever et al.) or every step (Cho et al.)",
           one_of({"once", "every-step"}));
  line.add("dropout", &o.dropout, "probability that a unit is left out", between(0, 0.99));
  line.add("variational-dropout", &o.variational_dropout, "leave out the same units in every step of a sentence");
  line.add("initialiser", &o.initialiser,
           "first weights; by default luong for luong's unscaled dot and general, default for all else",
           one_of(layers::known_schemes()));
}

void declare_learning(CommandLine& line, TrainOptions& o) {
  line.add("epochs", &o.epochs, "passes over the training pairs", between(1, 1000000));
  line.add("batch", &o.batch, "pairs in a batch", between(1, 100000));
  line.add("batch-tokens", &o.batch_tokens, "if not 0: target words in a batch, padding included, in place of --batch",
           at_least(0));
  line.add("optimiser", &o.optimiser.kind, "the optimiser", one_of(autograd::known_optimisers()));
  line.add("lr", &o.schedule.learning_rate, "learning rate (adadelta's own is 1)", between(0, 1000));
  line.add("momentum", &o.optimiser.momentum, "of sgd", between(0, 0.9999));
  line.add("weight-decay", &o.optimiser.weight_decay, "pull of the weights to 0", between(0, 1));
  line.add("schedule", &o.schedule.kind, "course of the learning rate", one_of(autograd::known_schedules()));
  line.add("warmup", &o.schedule.warmup_steps, "steps over which the learning rate first grows", at_least(0));
  line.add("decay-start", &o.schedule.decay_start, "part of the training after which schedule linear falls",
           between(0, 0.9999));
  line.add("halve-after", &o.schedule.halve_after, "epochs before schedule halve starts halving", at_least(0));
  line.add("plateau-patience", &o.schedule.patience, "epochs without gain before schedule plateau halves", at_least(1));
  line.add("clip", &o.clip, "largest norm of the gradient; 0: no limit", between(0, 1e9));
  line.add("label-smoothing", &o.objective.label_smoothing, "probability spread over all words", between(0, 0.9999));
  line.add("guided-alignment", &o.objective.guided_alignment,
           "weight of the loss that teaches attention the corpus's sure links, like 0.1; 0: off", between(0, 1e6));
  line.add("coverage-loss", &o.objective.coverage, "weight of the loss on looking twice (with --coverage); 0: off",
           between(0, 1e6));
  line.add("scheduled-sampling", &o.sampling.kind, "course of the probability that the decoder reads the true word",
           one_of(models::known_sampling_decays()));
  line.add("sampling-k", &o.sampling.k,
           "its k (Bengio et al. 2015); 0: linear 1, exponential .9999, inverse-sigmoid 1000", between(0, 1e9));
  line.add("sampling-slope", &o.sampling.slope, "its fall per step, for linear", between(0, 1));
  line.add("sampling-floor", &o.sampling.floor, "its lowest value, for linear", between(0, 1));
  line.add("accumulate", &o.accumulate, "batches whose gradients make one update", between(1, 100000));
  line.add("ema", &o.ema, "evaluate and keep a moving average of the weights with this decay, like .999; 0: off",
           between(0, 0.9999999));
  line.add("kernels", &o.kernels, "fused: hand-written steps; composed: their definition, to compare with",
           one_of({"fused", "composed"}));
}

}  // namespace

void declare(CommandLine& line, TrainOptions& o) {
  declare_corpus(line, o);
  declare_model(line, o.model);
  declare_learning(line, o);
  line.add("keep", &o.keep, "what makes an epoch the best: lowest validation loss, highest BLEU or lowest AER",
           one_of({"loss", "bleu", "aer"}));
  line.add("patience", &o.patience, "stop after so many epochs without a better one; 0: never", at_least(0));
  line.add("keep-epochs", &o.keep_epochs, "last epochs whose parameters are kept, for average; 0: the best one only",
           at_least(0));
  line.add("save-every", &o.save_every, "steps between saved training states; 0: after each epoch only", at_least(0));
  line.add("track", &o.track, "validation sentences whose attention history.jsonl records", between(0, 32));
}

void check(const TrainOptions& o) {
  if (o.objective.coverage > 0 && !o.model.coverage) {
    throw UsageError("--coverage-loss needs --coverage: without it the attention cannot know where it has looked");
  }
  try {
    check(o.sampling);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

void complete(TrainOptions& o) {
  o.model = models::completed(o.model);
  o.model.positions = o.max_length + 1;  // </s> counted
  models::ModelOptions with_words = o.model;
  with_words.source_vocabulary = with_words.target_vocabulary = 1;  // the corpus will tell
  const std::string problem = models::problem_of(with_words);
  if (!problem.empty()) throw UsageError(problem);
}

data::TokenizerOptions tokenizer_options(const TrainOptions& options) {
  using data::Tokenization;
  const Tokenization scheme = options.tokenizer == "none"            ? Tokenization::none
                              : options.tokenizer == "sentencepiece" ? Tokenization::spaces
                                                                     : Tokenization::words;
  return {.scheme = scheme, .lowercase = options.lowercase};
}

}  // namespace apps
