// A model that is small enough to train in a test, and pairs for it to learn.
#pragma once

#include <memory>
#include <vector>

#include "data/corpus/batches.h"
#include "models/registry.h"
#include "tests/models/training/seq2seq_step.h"

using namespace softalign;

namespace student {

using models::Objective;
using models::Update;
using seq2seq_step::StepResult;

inline constexpr std::size_t vocabulary = 20;

// Pairs of mixed lengths whose target is the reversed source. Each target word is linked to its copy in the source.
inline std::vector<data::EncodedPair> reversed_pairs(std::size_t count) {
  autograd::Random random(7);
  std::vector<data::EncodedPair> pairs(count);
  for (data::EncodedPair& pair : pairs) {
    const std::size_t length = 1 + random.below(6);
    for (std::size_t i = 0; i < length; ++i) {
      pair.source.push_back(static_cast<data::Id>(4 + random.below(vocabulary - 4)));
      pair.sure.push_back({i, length - 1 - i});
    }
    pair.target.assign(pair.source.rbegin(), pair.source.rend());
  }
  return pairs;
}

struct Student {
  autograd::Params params{autograd::Random(3)};
  std::unique_ptr<models::Seq2Seq> model;
  autograd::Optimiser optimiser;
  autograd::Random random{5};

  static models::ModelOptions size(double dropout) {
    models::ModelOptions o;
    o.source_vocabulary = o.target_vocabulary = vocabulary;
    o.embedding = 6;
    o.hidden = 10;
    o.attention_size = 7;
    o.readout = 8;
    o.dropout = dropout;
    o.initialiser = layers::InitialiserKind::standard;  // with so few units, weights of .1 would be too small
    return o;
  }
  explicit Student(double dropout = 0, const autograd::OptimiserOptions& rule = {})
      : model(models::make_model(size(dropout), params)), optimiser(params, rule) {}

  StepResult learn(const std::vector<data::Batch>& batches, const Update& update = {.learning_rate = 5e-3},
                   const Objective& objective = {}) {
    return seq2seq_step::learn(*model, params, optimiser, batches, objective, update, random);
  }
};

}  // namespace student
