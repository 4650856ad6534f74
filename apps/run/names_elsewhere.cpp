#include "apps/run/names_elsewhere.h"

namespace softalign::apps {

namespace {

using Advice = std::vector<std::pair<std::string, std::string>>;

// Models of other tools and papers, and what is nearest to them.
Advice models_elsewhere() {
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

std::vector<NamesElsewhere> names_elsewhere() {
  return {{"model", models_elsewhere()},
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
