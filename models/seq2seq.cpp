#include "models/seq2seq.h"

namespace softalign::models {

Memory Seq2Seq::encode(const Batch& batch, const Training* training) const {
  Memory memory = read(batch, training);
  memory.index = batch.index;
  return memory;
}

Forced Seq2Seq::forced(const Batch& batch, const Training* training) const {
  return decoder().forced(encode(batch, training), targets(batch), training);
}

}  // namespace softalign::models
