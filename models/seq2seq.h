// A Seq2Seq consists of an encoder and a decoder that attends to the encoder output. It works on batches of texts.
#pragma once

#include "data/corpus/batch.h"
#include "models/decoder.h"

namespace softalign::models {

using data::Batch;

class Seq2Seq {
 public:
  virtual ~Seq2Seq() = default;
  virtual const Decoder& decoder() const = 0;
  // Returns a memory with one entry per sentence.
  Memory encode(const Batch& batch, const Training* training = nullptr) const {
    Memory memory = read(batch, training);
    memory.index = batch.index;
    return memory;
  }
  // Encodes the sources, then computes teacher forcing over the batch's targets.
  TeacherForced teacher_forced(const Batch& batch, const Training* training = nullptr) const {
    return decoder().teacher_forced(encode(batch, training), batch.targets, training);
  }
  // Returns the self-attention weights of the words of sources and targets, for each layer. Heads of the kind
  // encoder-self have rows s*B + b, for word s of source b. Heads of the kind decoder-self have rows t*B + b, for word
  // t of target b. The result is empty for a model without self-attention.
  virtual std::vector<Heads> self_attention(const Batch&) const { return {}; }

 private:
  virtual Memory read(const Batch& batch, const Training* training) const = 0;
};

}  // namespace softalign::models
