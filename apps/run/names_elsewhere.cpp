#include "apps/run/names_elsewhere.h"

namespace softalign::apps {

namespace {

using Advice = std::vector<std::pair<std::string, std::string>>;

// Models of other tools and papers, and what is nearest to them.
Advice models_elsewhere() {
  const std::string gpt = "a GPT is a language model of the transformer's decoder: --model transformer-lm";
  const std::string bert =
      "there is no masked language model; for sentences one after the other --model transformer-lm, "
      "for pairs with a label --model decomposable";
  const std::string recurrent =
      "a recurrent model with attention is --model rnnsearch, its unit is --cell lstm or gru; "
      "without attention --model encdec; of texts --model rnn-lm";
  const std::string transformer = "its architecture is --model transformer";
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
          {"nmt", "the usual ones are --model rnnsearch (Bahdanau) and --model transformer (Vaswani)"},
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
           {{"bpe", "BPE is --tokenizer sentencepiece --piece-model bpe"},
            {"spm", "it is --tokenizer sentencepiece"},
            {"sp", "it is --tokenizer sentencepiece"},
            {"unigram", "it is --tokenizer sentencepiece --piece-model unigram"},
            {"subword", "subwords are --tokenizer sentencepiece"},
            {"wordpiece", "subwords are --tokenizer sentencepiece"},
            {"char", "it is --tokenizer characters"},
            {"moses", "words is like Moses; text that Moses has tokenised already wants --tokenizer none"},
            {"space", "splitting at spaces alone is --tokenizer none"},
            {"whitespace", "splitting at spaces alone is --tokenizer none"}}}};
}

}  // namespace softalign::apps
