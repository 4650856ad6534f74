// Seq2Seq: an encoder of text and the decoder that writes from what it leaves, for training and for whoever has text.
#pragma once

#include "data/corpus/batch.h"
#include "models/decoder.h"

namespace softalign::models {

using data::Batch;

class Seq2Seq {
 public:
  virtual ~Seq2Seq() = default;
  virtual const Decoder& decoder() const = 0;
  Memory encode(const Batch& batch, const Training* training = nullptr) const;  // an entry per sentence
  // Encodes, then teacher forcing over the batch's targets.
  Forced forced(const Batch& batch, const Training* training = nullptr) const;
  // Where the sentences' words look among themselves, sources and targets given: heads of the kinds encoder-self (rows
  // s*B + b) and decoder-self (rows t*B + b) of each layer. None without self-attention.
  virtual std::vector<Heads> self_attention(const Batch&) const { return {}; }

 private:
  virtual Memory read(const Batch& batch, const Training* training) const = 0;
};

inline Targets targets(const Batch& batch) { return {batch.target_steps, batch.target_in, batch.target_out}; }

}  // namespace softalign::models
