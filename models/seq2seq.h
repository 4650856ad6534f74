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
  // Returns the self-attention weights of each layer, for a batch of B pairs of a source and a target. In heads of the
  // kind encoder-self, word s of source b has row s*B + b. In heads of the kind decoder-self, word t of target b has
  // row t*B + b. The result is empty for a model without self-attention.
  virtual std::vector<Heads> self_attention(const Batch&) const { return {}; }

 private:
  virtual Memory read(const Batch& batch, const Training* training) const = 0;
};

}  // namespace softalign::models
