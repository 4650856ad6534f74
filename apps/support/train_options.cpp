#include "apps/support/train_options.h"

#include "apps/support/command_line.h"
#include "models/factory.h"

namespace apps {

namespace {

void declare_corpus(CommandLine& line, TrainOptions& o) {
  line.add("data", o.data, "folder with train.tsv and valid.tsv");
  line.add("train", o.train, "TSV file to train on, in place of the folder's");
  line.add("valid", o.valid, "TSV file to validate on, in place of the folder's");
  line.add("source", o.source, "plain file to train on, a source sentence a line");
  line.add("target", o.target, "its translations, line by line");
  line.add("alignment", o.alignment, "its word alignments in Pharaoh form, if there are any");
  line.add("valid-source", o.valid_source, "plain file to validate on");
  line.add("valid-target", o.valid_target, "its translations");
  line.add("valid-alignment", o.valid_alignment, "its word alignments, if there are any");
  line.add("tokenizer", o.tokenizer, "words: split off punctuation and clitics; none: split at white space")
      ->check(CLI::IsMember({"words", "none"}));
  line.add("lowercase", o.lowercase, "bring text to lower case (tokenizer words)");
  line.add("min-count", o.vocabulary.min_count, "rarer words become <unk>")->check(at_least(1));
  line.add("max-vocabulary", o.vocabulary.max_size, "most frequent words kept a side")->check(at_least(1));
  line.add("max-length", o.max_length, "leave out training pairs with more words on a side")->check(at_least(1));
}

void declare_model(CommandLine& line, models::ModelOptions& o) {
  line.add("model", o.model, "the model")->check(CLI::IsMember(models::known_models()));
  line.add("attention", o.attention, "its attention")->check(CLI::IsMember(models::known_attentions()));
  line.add("cell", o.cell, "recurrent unit")->check(CLI::IsMember({"lstm", "gru", "gru-pytorch"}));
  line.add("embedding", o.embedding, "size of the word embeddings")->check(between(1, 100000));
  line.add("hidden", o.hidden, "size of the recurrent states")->check(between(1, 100000));
  line.add("attention-size", o.attention_size, "size of the attention's hidden layer")->check(between(1, 100000));
  line.add("readout", o.readout, "size of the layer before the output")->check(between(1, 100000));
  line.add("readout-kind", o.readout_kind, "that layer")->check(CLI::IsMember({"maxout", "tanh"}));
  line.add("start", o.start, "first decoder state from the encoder's backward last state, or both directions' last")
      ->check(CLI::IsMember({"backward", "both"}));
  line.add("layers", o.layers, "depth of the encoder")->check(between(1, 64));
  line.add("dropout", o.dropout, "probability that a unit is left out")->check(between(0, 0.99));
  line.add("variational-dropout", o.variational_dropout, "leave out the same units in every step of a sentence");
  line.add("initialiser", o.initialiser, "first weights")->check(CLI::IsMember({"default", "paper"}));
}

void declare_learning(CommandLine& line, TrainOptions& o) {
  line.add("epochs", o.epochs, "passes over the training pairs")->check(between(1, 1000000));
  line.add("batch", o.batch, "pairs in a batch")->check(between(1, 100000));
  line.add("batch-tokens", o.batch_tokens, "if not 0: target words in a batch, padding included, in place of --batch");
  line.add("optimiser", o.optimiser.kind, "the optimiser")->check(CLI::IsMember(autograd::known_optimisers()));
  line.add("lr", o.schedule.learning_rate, "learning rate (adadelta's own is 1)")->check(between(0, 1000));
  line.add("momentum", o.optimiser.momentum, "of sgd")->check(between(0, 0.9999));
  line.add("weight-decay", o.optimiser.weight_decay, "pull of the weights to 0")->check(between(0, 1));
  line.add("schedule", o.schedule.kind, "course of the learning rate")
      ->check(CLI::IsMember(autograd::known_schedules()));
  line.add("warmup", o.schedule.warmup_steps, "steps over which the learning rate first grows");
  line.add("decay-start", o.schedule.decay_start, "part of the training after which schedule linear falls")
      ->check(between(0, 0.9999));
  line.add("halve-after", o.schedule.halve_after, "epochs before schedule halve starts halving");
  line.add("plateau-patience", o.schedule.patience, "epochs without gain before schedule plateau halves")
      ->check(at_least(1));
  line.add("clip", o.clip, "largest norm of the gradient; 0: no limit")->check(between(0, 1e9));
  line.add("label-smoothing", o.label_smoothing, "probability spread over all words")->check(between(0, 0.9999));
  line.add("kernels", o.kernels, "fused: hand-written steps; composed: their definition, to compare with")
      ->check(CLI::IsMember({"fused", "composed"}));
}

}  // namespace

void declare(CommandLine& line, TrainOptions& o) {
  declare_corpus(line, o);
  declare_model(line, o.model);
  declare_learning(line, o);
  line.add("keep", o.keep, "what makes an epoch the best: the lowest validation loss, or the highest BLEU")
      ->check(CLI::IsMember({"loss", "bleu"}));
  line.add("patience", o.patience, "stop after so many epochs without a better one; 0: never");
  line.add("save-every", o.save_every, "steps between saved training states; 0: after each epoch only");
  line.add("track", o.track, "validation sentences whose attention history.jsonl records")->check(between(0, 32));
}

data::TokenizerOptions tokenizer_options(const TrainOptions& options) {
  return {.scheme = options.tokenizer == "none" ? data::Tokenization::none : data::Tokenization::words,
          .lowercase = options.lowercase};
}

}  // namespace apps
