#include "models/search/shortlist.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/gather.h"
#include "autograd/ops/shape.h"

namespace softalign::models {
namespace {

constexpr Id special_entries = data::end_id + 1;

void sort_once(Ids& words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
}

// Shortlisted is a decoder over the words of several lists. Each source may use only the words of its own list.
class Shortlisted : public Decoder {
 public:
  // allowed (B, K) is 0 for a word of the source's list, and -infinity for every other word.
  Shortlisted(std::unique_ptr<Decoder> decoder, Array allowed)
      : decoder_(std::move(decoder)), allowed_(std::move(allowed)) {}

  bool attends() const override { return decoder_->attends(); }
  State start(const Memory& memory) const override { return decoder_->start(memory); }
  Step step(const Ids& previous, const State& state, const Memory& memory) const override {
    Step step = decoder_->step(previous, state, memory);
    step.logits = step.logits + autograd::gather(allowed_, state.sentence);
    return step;
  }
  TeacherForced teacher_forced(const Memory& memory, const Targets& targets, const Training* training) const override {
    return decoder_->teacher_forced(memory, targets, training);
  }

 private:
  std::unique_ptr<Decoder> decoder_;
  Var allowed_;
};

}  // namespace

Shortlist::Shortlist(Ids always, std::vector<Ids> translations)
    : always_(std::move(always)), translations_(std::move(translations)) {
  for (Id id = 0; id < special_entries; ++id) always_.push_back(id);
  sort_once(always_);
}

Ids Shortlist::words(const Ids& source) const {
  Ids words = always_;
  for (const Id x : source) {
    if (static_cast<std::size_t>(x) >= translations_.size()) continue;
    const Ids& of_word = translations_[static_cast<std::size_t>(x)];
    words.insert(words.end(), of_word.begin(), of_word.end());
  }
  sort_once(words);
  return words;
}

std::vector<std::vector<Hypothesis>> beam_search(const Seq2Seq& model, const Batch& batch, const Shortlist& shortlist,
                                                 const BeamOptions& options) {
  const autograd::NoGrad no_grad;
  std::vector<Ids> of_source;
  Ids words;
  for (std::size_t b = 0; b < batch.size; ++b) {
    of_source.push_back(shortlist.words(words_of_source(batch, b)));
    words.insert(words.end(), of_source.back().begin(), of_source.back().end());
  }
  sort_once(words);
  Array allowed({batch.size, words.size()}, -std::numeric_limits<Real>::infinity());
  for (std::size_t b = 0; b < batch.size; ++b)
    for (std::size_t k = 0; k < words.size(); ++k)
      if (std::binary_search(of_source[b].begin(), of_source[b].end(), words[k])) allowed[b * words.size() + k] = 0;
  const Shortlisted decoder(model.decoder().with_words(words), std::move(allowed));
  auto found = beam_search(decoder, model.encode(batch), options);
  for (auto& of_sentence : found)
    for (Hypothesis& hypothesis : of_sentence)
      for (Id& id : hypothesis.ids) id = words[static_cast<std::size_t>(id)];
  return found;
}

}  // namespace softalign::models
