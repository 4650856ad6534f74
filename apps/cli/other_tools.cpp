#include "apps/cli/other_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <string_view>

#include "apps/cli/verbs.h"
#include "data/io/commands.h"

namespace softalign::apps {

namespace {

using Names = std::vector<std::string>;

bool has(const Names& known, const std::string& name) {
  return std::find(known.begin(), known.end(), name) != known.end();
}

// Counterpart has an option of softalign, and the names that other tools give to it. If a name has several
// counterparts, the first one that the program has is meant.
struct Counterpart {
  std::string ours;
  Names theirs;
};

const std::vector<Counterpart>& counterparts() {
  static const std::vector<Counterpart> all{
      {"source", {"src", "s", "train-src", "src-train", "source-file", "src-file", "train-source", "source-path", "f"}},
      {"target", {"tgt", "trg", "train-tgt", "tgt-train", "target-file", "tgt-file", "train-target", "target-path"}},
      {"valid-source", {"valid-src", "val-src", "dev-source", "dev-src"}},
      {"valid-target", {"valid-tgt", "val-tgt", "dev-target", "dev-tgt"}},
      {"valid",
       {"dev", "val", "validation", "dev-set", "valid-set", "valid-sets", "validation-file", "dev-file", "validpref"}},
      {"train", {"train-set", "train-sets", "train-file", "training-file", "trainpref"}},
      {"in", {"i", "input", "infile", "input-file", "file"}},
      {"data",
       {"i", "d", "input", "infile", "input-file", "corpus", "data-path", "data-dir", "data-folder", "dataset",
        "dataset-path", "train-data", "test", "test-data", "test-file", "file", "text"}},
      {"reference", {"r", "ref", "refs", "references", "ref-file"}},
      {"run",
       {"m", "model", "models", "model-path", "model-dir", "model-name", "model-file", "model-name-or-path",
        "checkpoint", "checkpoint-path", "ckpt", "path", "load", "load-path", "run-dir"}},
      {"resume",
       {"continue", "restart", "resume-from-checkpoint", "resume-from", "train-from", "restore", "load-checkpoint",
        "checkpoint", "ckpt", "load-model"}},
      {"out",
       {"o", "out-file", "outfile", "out-dir", "outdir", "output-dir", "output-file", "save", "save-dir", "save-path",
        "save-model", "model-out", "model-dir", "exp", "exp-dir", "logdir", "log-dir"}},
      {"model", {"arch", "architecture", "type", "model-type", "encoder-type", "decoder-type", "net", "network", "m"}},
      {"attention", {"global-attention", "attn", "attention-type", "score"}},
      {"epochs",
       {"e", "n-epochs", "nepochs", "num-epochs", "num-train-epochs", "max-epoch", "max-epochs", "after-epochs", "ep"}},
      {"batch",
       {"b", "bs", "minibatch", "mini-batch", "minibatch-size", "mini-batch-size", "train-batch-size",
        "per-device-train-batch-size"}},
      {"batch-tokens", {"max-tokens", "tokens-per-batch", "mini-batch-words"}},
      {"lr", {"l", "learn-rate", "learningrate", "eta", "initial-lr", "peak-lr", "step-size"}},
      {"optimiser", {"opt", "optim", "solver"}},
      {"schedule", {"lr-schedule", "lr-scheduler", "lr-scheduler-type", "decay-method", "scheduler"}},
      {"warmup", {"warmup-steps", "warmup-updates", "lr-warmup"}},
      {"clip", {"clip-norm", "max-grad-norm", "grad-clip", "gradient-clip", "clip-grad"}},
      {"hidden",
       {"h-dim", "hidden-dim", "hidden-units", "rnn-size", "dim-rnn", "state-size", "d-model", "dim", "units",
        "num-units", "dec-rnn-size"}},
      {"embedding",
       {"emb", "emb-size", "emb-dim", "dim-emb", "embed-dim", "embedding-dim", "embeddings", "word-vec-size"}},
      {"layers",
       {"n-layers", "num-layers", "num-hidden-layers", "enc-layers", "dec-layers", "encoder-layers", "decoder-layers",
        "enc-depth", "dec-depth", "depth"}},
      {"heads",
       {"nhead", "n-heads", "num-heads", "num-attention-heads", "attention-heads", "transformer-heads",
        "encoder-attention-heads"}},
      {"dropout", {"dropout-rate", "dropout-rnn", "transformer-dropout", "attention-dropout"}},
      {"patience", {"early-stopping", "early-stop", "earlystopping", "early-stopping-patience"}},
      {"max-vocabulary",
       {"vocab-size", "vocabulary-size", "max-vocab", "max-vocab-size", "dim-vocabs", "src-vocab-size",
        "tgt-vocab-size", "voc-limit", "num-words"}},
      {"min-count",
       {"min-freq", "min-frequency", "voc-min-freq", "words-min-frequency", "src-words-min-frequency",
        "tgt-words-min-frequency", "threshold-src"}},
      {"max-length",
       {"max-len", "max-seq-length", "max-seq-len", "max-sent-length", "max-sentence-length", "max-source-length",
        "src-seq-length", "tgt-seq-length"}},
      {"tokenizer",
       {"bpe", "bpe-codes", "use-bpe", "spm", "sentencepiece", "subword", "subwords", "tok", "tokenize", "tokenization",
        "level"}},
      {"lowercase", {"lc", "lower", "lowercased", "do-lower-case", "uncased"}},
      {"beam", {"k", "beams", "beamsize", "beam-size", "beam-width", "num-beams"}},
      {"n-best", {"nbest", "n-best-list", "num-return-sequences"}},
      {"length-penalty", {"alpha", "lenpen", "len-pen", "normalize"}},
      {"sample", {"sampling", "do-sample", "output-sampling"}},
      {"alignment",
       {"align", "attn", "attention", "report-align", "output-attentions", "print-alignment", "with-alignment"}},
      {"replace-unknown", {"replace-unk", "replace-unks"}},
      {"format", {"to", "output-format", "out-format"}},
      {"from", {"input-format", "in-format"}},
      {"symmetrise", {"sym", "symmetrize", "symmetrization", "heuristic", "c", "command"}},
      {"reverse", {"j", "backward", "inverse"}},
      {"threads",
       {"j", "t", "jobs", "workers", "num-workers", "num-threads", "nthreads", "n-threads", "cpu-threads", "cores",
        "cpus"}},
      {"seed", {"random-seed", "rng", "manual-seed"}},
      {"force", {"overwrite", "overwrite-output-dir", "f"}},
      {"config", {"c", "cfg", "conf", "config-file", "yaml"}},
      {"dry-run", {"n", "dryrun", "test-run"}},
  };
  return all;
}

const std::string join_two_files =
    "make_corpus splits one file with tabs. Join two text files first: paste p.en p.fr > pairs.tsv; make_corpus split "
    "pairs.tsv --out DIR";

// OfProgram has advice for one program, because a foreign name may have its own meaning there. `names` are spelt as the
// user types them, without dashes.
struct OfProgram {
  const char* program;
  Names names;
  std::string advice;
};

const std::vector<OfProgram>& of_programs() {
  static const std::vector<OfProgram> all{
      {"links",
       {"symmetrise", "symmetrize", "sym", "symmetrization", "heuristic", "c", "method"},
       "use --rule instead. links learns both directions, and --rule grow-diag-final-and combines their links"},
      {"links",
       {"r", "reverse"},
       "links learns both directions. For the links of one direction, use --rule forward or --rule backward"},
      {"links", {"d", "favor-diagonal"}, "links always favours links near the diagonal in its first rounds. Remove OPTION"},
      {"links",
       {"o", "optimize-tension"},
       "links always learns how strongly it favours the diagonal, so remove OPTION. --out FILE names the output file"},
      {"links", {"v", "variational-bayes"}, "links always uses a prior. Remove OPTION. --alpha X sets the prior"},
      {"links", {"I", "iterations", "iters", "n-iters"}, "use --diagonal-rounds N and --jump-rounds N instead"},
      {"links", {"a"}, "use --alpha instead"},
      {"links", {"p", "p0", "prob-align-null"}, "--diagonal-p0 and --jump-p0 set the probability of the empty word"},
      {"links",
       {"m", "run", "model", "model-path", "conditional-probabilities"},
       "links uses no trained model, because it learns from the pairs. For links from a trained model: align --run "
       "RUN"},
      {"links",
       {"gold", "reference", "ref"},
       "`links` takes gold links from --data or --alignment. To score a file of links: evaluate --links FILE --gold "
       "FILE"},
      {"align", {"method"}, "use --rule instead"},
      {"align",
       {"gold", "reference", "ref"},
       "align does not compare its links with gold links. For a comparison: evaluate --run RUN --data FILE"},
      {"train",
       {"test", "test-data", "test-file", "testpref", "tst"},
       "train uses no test set. After the training: evaluate --run RUN --data FILE"},
      {"train",
       {"run", "model-path", "save-model-path"},
       "--out names the folder of the new run, and --model names a kind of model"},
      {"convert",
       {"model-path", "run", "m"},
       "convert reads files of alignments, which a run does not contain. Write one with: align --run RUN"},
      {"score", {"hyp", "hypothesis", "hypotheses", "translation", "translations"}, "use --target instead"},
      {"score", {"ref", "reference", "refs"}, "use --target instead"},
      {"evaluate",
       {"hyp", "hypothesis", "hypotheses", "translation", "translations", "sys", "system"},
       "evaluate translates the sources of --data with the model of --run. Remove OPTION"},
      {"evaluate", {"bleu", "metric", "metrics", "m"}, "evaluate prints all figures. Remove OPTION"},
      {"caption",
       {"i", "in", "input", "img", "image", "images", "picture", "pictures", "file", "data"},
       "write the file names without an option: caption --run RUN picture.png"},
      {"answer",
       {"i", "q", "in", "input", "story", "file", "data", "question", "context"},
       "write story and question without an option: answer --run RUN story.txt \"where is the apple?\""},
      {"entail",
       {"i", "in", "input", "file", "data", "premise", "hypothesis", "src", "tgt"},
       "write both sentences without an option: entail --run RUN \"a red dog sleeps\" \"an animal sleeps\""},
      {"average",
       {"i", "in", "input", "inputs", "models", "model", "checkpoints", "runs"},
       "use --run instead, once per run"},
      {"make_corpus",
       {"n", "num", "count", "size", "samples", "lines", "train"},
       "use --pairs N instead, or the sizes of several parts: --split train=5000,valid=500"},
      {"make_corpus", {"source", "target", "src", "tgt", "trg"}, join_two_files},
      {"reproduce",
       {"study", "experiment", "paper", "name", "model", "m"},
       "write the study without an option: reproduce pooling"},
      {"reproduce", {"list", "all", "l"}, "this command lists the studies: reproduce --help"},
  };
  return all;
}

// Absent has names of options for which softalign has no counterpart, and the reason.
struct Absent {
  const char* advice;
  Names names;
};

const std::vector<Absent>& absent() {
  static const std::vector<Absent> all{
      {"softalign runs only on CPUs. Remove OPTION. --threads N sets the number of threads",
       {"gpu",     "gpus",   "gpuid", "gpu-id",     "gpu-ids",    "gpu-ranks",  "num-gpus",
        "n-gpu",   "n-gpus", "cuda",  "use-cuda",   "no-cuda",    "use-gpu",    "device",
        "devices", "cpu",    "mps",   "world-size", "local-rank", "accelerator"}},
      {"softalign computes in float32, except for translate --int8. Remove OPTION",
       {"fp16", "bf16", "fp32", "half", "mixed-precision", "amp", "precision", "dtype", "model-dtype", "float16"}},
      {"softalign needs no names of languages, because source and target have their own files or columns. Remove "
       "OPTION",
       {"source-lang", "target-lang", "src-lang", "tgt-lang", "trg-lang", "lang", "langs", "lang-pair", "language-pair",
        "language"}},
      {"train makes the vocabularies from the training text and writes them to the run folder. Remove OPTION. "
       "--max-vocabulary N and --min-count N limit the vocabularies",
       {"vocab", "vocabs", "vocabulary", "src-vocab", "tgt-vocab", "source-vocab", "target-vocab", "vocab-file",
        "srcdict", "tgtdict"}},
      {"softalign measures the length of a training in passes over the corpus. Use --epochs N instead",
       {"max-steps", "train-steps", "num-train-steps", "steps", "iterations", "iters", "max-update", "max-updates",
        "updates", "num-updates", "after-batches"}},
      {"softalign always prints its progress. Remove OPTION",
       {"v", "verbose", "debug", "log", "logging", "progress", "log-level", "log-file", "logfile", "report-every",
        "tensorboard", "wandb"}},
      {"softalign writes messages to standard error. To hide the messages, remove OPTION and add 2> /dev/null to the "
       "command",
       {"q", "quiet", "silent", "quiet-translation"}},
  };
  return all;
}

// Returns the advice with the name of the option as the user typed it, without its value.
std::string with_name(std::string advice, const std::string& typed) {
  constexpr std::string_view placeholder = "OPTION";
  if (const std::size_t at = advice.find(placeholder); at != std::string::npos)
    advice.replace(at, placeholder.size(), typed.substr(0, typed.find('=')));
  return advice;
}

// Returns the advice with its commands as the user calls the programs, for example "build/evaluate --run RUN --data
// FILE". A command follows a colon or a semicolon.
std::string as_called(std::string advice) {
  for (const Verb& verb : verbs())
    for (const char* before : {": ", "; "}) {
      const std::string written = before + verb.name + " ";
      if (const std::size_t at = advice.find(written); at != std::string::npos)
        advice.replace(at + 2, verb.name.size(), data::command(verb.name));
    }
  return advice;
}

// Returns the name of an option in the form in which names are compared. It is in lower case, with hyphens, and without
// the leading dashes and the value.
std::string comparable(const std::string& typed) {
  std::string name = typed.substr(0, typed.find('='));
  name.erase(0, name.find_first_not_of('-'));
  for (char& c : name) c = c == '_' || c == '.' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

// Word processors and web pages write other dashes in place of a hyphen. Returns the length of such a dash at the start
// of the word in bytes, or 0 if there is none.
std::size_t length_of_dash(const std::string& word) {
  for (const char* dash : {"\u2010", "\u2011", "\u2012", "\u2013", "\u2014", "\u2015", "\u2212", "\uff0d"})
    if (word.starts_with(dash)) return std::string(dash).size();
  return 0;
}

}  // namespace

std::string advice_on_option(const std::string& program, const std::string& typed, const Names& known) {
  const std::string name = comparable(typed);
  if (name != typed.substr(std::min<std::size_t>(2, typed.size())) && has(known, name))
    return fmt::format("did you mean --{}?", name);  // for example --learning_rate, -epochs
  const std::string spelt = typed.substr(std::min(typed.find_first_not_of('-'), typed.size()));
  for (const OfProgram& option : of_programs())
    if (program == option.program && !has(known, name) && has(option.names, spelt.size() == 1 ? spelt : name))
      return as_called(with_name(option.advice, typed));
  for (const Absent& group : absent())
    if (has(group.names, name) && !has(known, name)) return with_name(group.advice, typed);
  for (const Counterpart& option : counterparts())
    if (has(known, option.ours) && has(option.theirs, name)) return fmt::format("use --{} instead", option.ours);
  static const Names of_input{"i",      "in",   "input", "infile", "input-file", "src", "s",
                              "source", "file", "f",     "text",   "data",       "test"};
  static const Names of_output{"o", "out", "output", "output-file", "outfile"};
  if (program == "translate" && has(of_input, name))
    return as_called("translate reads sentences from standard input: translate --run RUN < FILE");
  if (has(of_output, name)) return as_called(fmt::format("{0} writes to standard output: {0} ... > FILE", program));
  if (program == "translate" &&
      (name == "tgt" || name == "trg" || name == "target" || name == "ref" || name == "reference"))
    return as_called(
        "translate uses no references. To compare translations with references: evaluate --run RUN --data FILE");
  return "";
}

std::string advice_on_word(const std::string& program, const std::string& word, const Names& known) {
  namespace fs = std::filesystem;
  if (const std::size_t dash = length_of_dash(word); dash > 0) {
    std::string rest = word.substr(dash);
    rest.erase(0, std::min(length_of_dash(rest), rest.size()));
    rest.erase(0, rest.find_first_not_of('-'));
    return fmt::format(
        "the first character is not a hyphen, but a dash that word processors and web pages write. Type two hyphens: "
        "--{}",
        rest);
  }
  const std::size_t equals = word.find('=');
  if (equals != std::string::npos && has(known, comparable(word)))
    return fmt::format("options begin with two hyphens: --{}={}", comparable(word), word.substr(equals + 1));
  std::error_code none;
  const auto is_there = [&](const char* name) { return fs::exists(fs::path(word) / name, none); };
  std::string option;
  const std::string ending = fs::path(word).extension().string();
  if (ending == ".yaml" || ending == ".yml")
    return "softalign reads no YAML. Write the options on the command line. --config reads the config.json of a run";
  if (program == "make_corpus" && fs::is_regular_file(word, none)) return as_called(join_two_files);
  if (is_there("config.json") || is_there("model.safetensors")) option = "run";
  else if (ending == ".json" && fs::exists(word, none)) option = "config";
  else if (fs::exists(word, none)) option = has(known, "in") ? "in" : "data";
  return has(known, option) ? fmt::format("write the option before the word: --{} {}", option, word) : "";
}

namespace {

// Returns models of other tools and papers, and which model of softalign is closest.
std::vector<std::pair<std::string, std::string>> advice_on_models() {
  const std::string gpt = "GPT is a language model with the decoder of the Transformer. Use --model transformer-lm";
  const std::string bert =
      "train has no masked language model. For a language model, use --model transformer-lm. For sentence pairs "
      "with a label, use --model decomposable";
  const std::string recurrent =
      "for a recurrent model with attention, use --model rnnsearch with --cell lstm or --cell gru; without attention, "
      "use --model encdec; for a language model, use --model rnn-lm";
  const std::string transformer = "use --model transformer, which has this architecture";
  return {{"gpt", gpt},
          {"llama", gpt},
          {"llm", gpt},
          {"bert", bert},
          {"roberta", bert},
          {"distilbert", bert},
          {"rnn", recurrent},
          {"lstm", recurrent},
          {"gru", recurrent},
          {"brnn", recurrent},
          {"bilstm", recurrent},
          {"seq", recurrent},
          {"nematus", recurrent},
          {"attention", recurrent},
          {"t", transformer},
          {"bart", transformer},
          {"marian", transformer},
          {"opus", transformer},
          {"nllb", transformer},
          {"nmt", "the usual models are --model rnnsearch (Bahdanau) and --model transformer (Vaswani)"},
          {"memn", "end-to-end memory networks are --model memory-network"},
          {"fast_align", "links --data FILE aligns words without training a model here"},
          {"giza", "links --data FILE aligns words without training a model here"}};
}

}  // namespace

std::vector<ValueAdvice> advice_on_values() {
  return {{"model", advice_on_models()},
          {"attention",
           {{"bahdanau", "Bahdanau's score is additive"},
            {"mlp", "an MLP score is additive"},
            {"luong", "Luong's scores are dot, general, concat and location"},
            {"bilinear", "a bilinear score is general"},
            {"multihead", "attention with heads is qkv, with --heads N"},
            {"multi", "attention with heads is qkv, with --heads N"},
            {"scaled", "the scaled dot product is dot with --scale"},
            {"softmax", "every score goes through a softmax"},
            {"self", "self-attention is in --model transformer"}}},
          {"tokenizer",
           {{"bpe", "for BPE, use --tokenizer sentencepiece --subword-model bpe"},
            {"spm", "use --tokenizer sentencepiece"},
            {"sp", "use --tokenizer sentencepiece"},
            {"unigram", "use --tokenizer sentencepiece --subword-model unigram"},
            {"subword", "for subwords, use --tokenizer sentencepiece"},
            {"wordpiece", "for subwords, use --tokenizer sentencepiece"},
            {"char", "use --tokenizer characters"},
            {"moses",
             "use --tokenizer words, which is similar to Moses. For text that Moses has tokenised already, use "
             "--tokenizer none"},
            {"space", "to split only at spaces, use --tokenizer none"},
            {"whitespace", "to split only at spaces, use --tokenizer none"}}}};
}

}  // namespace softalign::apps
