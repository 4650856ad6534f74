// A search with a shortlist equals a search in which all other words are forbidden, but has fewer columns.
#include "models/search/shortlist.h"

#include <limits>

#include "models/search/ensemble.h"
#include "tests/models/kinds.h"
#include "tests/models/search/close.h"

using namespace softalign;
using namespace kinds;
using compare::check_close;

namespace {

// No source has word 4 in its list, so the other words have other indices within the lists.
const Ids always{6};
const std::vector<Ids> translations{{}, {}, {}, {}, {7}, {7, 6}, {}, {5, 7}};  // of source words 4 .. 7

Shortlist shortlist() { return {always, translations}; }

// The reference decoder has all words, with logits of -infinity for words that are not in the source's list.
class Forbidding : public Decoder {
 public:
  Forbidding(const Decoder& decoder, std::vector<Ids> lists) : decoder_(decoder), lists_(std::move(lists)) {}
  bool attends() const override { return decoder_.attends(); }
  State start(const Memory& memory) const override { return decoder_.start(memory); }
  Step step(const Ids& previous, const State& state, const Memory& memory) const override {
    Step step = decoder_.step(previous, state, memory);
    const Array all = step.logits.value();
    Array some(all.shape(), -std::numeric_limits<Real>::infinity());
    for (std::size_t r = 0; r < all.dim(0); ++r)
      for (const Id id : lists_[static_cast<std::size_t>(state.sentence[r])]) {
        const std::size_t at = r * all.dim(1) + static_cast<std::size_t>(id);
        if (static_cast<std::size_t>(id) < all.dim(1)) some[at] = all[at];
      }
    step.logits = constant(some);
    return step;
  }
  TeacherForced teacher_forced(const Memory& memory, const Targets& targets, const Training* training) const override {
    return decoder_.teacher_forced(memory, targets, training);
  }

 private:
  const Decoder& decoder_;
  std::vector<Ids> lists_;
};

std::vector<data::EncodedPair> unlike_sources() { return {{{4, 5, 6}, {}}, {{6}, {}}, {{6, 4, 1, 7}, {}}}; }
Batch all_sources() { return data::make_source_batch(unlike_sources(), {0, 1, 2}); }

void require_twin(const Seq2Seq& model) {
  const Shortlist list = shortlist();
  const Batch batch = all_sources();
  std::vector<Ids> lists;
  for (const data::EncodedPair& pair : unlike_sources()) lists.push_back(list.words(pair.source));
  const BeamOptions options{.beam = 3, .n_best = 3, .max_length = 5};
  check_close(beam_search(model, batch, list, options),
              beam_search(Forbidding(model.decoder(), lists), model.encode(batch), options));
}

bool translates(const ModelOptions& o) {
  return task_of(completed(o)) == Task::translation && !reads_pictures(completed(o));
}

}  // namespace

TEST_CASE("shortlist: a source's words give their translations, the frequent words and the special entries") {
  CHECK(shortlist().words({}) == Ids{0, 1, 2, 3, 6});
  CHECK(shortlist().words({7, 4, 7, 5}) == Ids{0, 1, 2, 3, 5, 6, 7});
  CHECK(shortlist().words({1, 6, 9}) == Ids{0, 1, 2, 3, 6});
}

// Jean et al. 2015
TEST_CASE("shortlist: every model gives the same result as with all other words forbidden") {
  std::size_t models = 0;
  for (Kind kind : all()) {
    if (!translates(kind.options)) continue;
    INFO(kind.name);
    kind.options.target_vocabulary = 8;  // the largest id in the lists is 7
    const Made made(kind.options);
    require_twin(made.model);
    ++models;
  }
  CHECK(models > 50);
}

// The members are equal, so each gives the words of a list the same total probability. With other members, the mean of
// the shortlisted probabilities differs from the mean in which other words are forbidden.
TEST_CASE("shortlist: an ensemble uses the shortlists of all its models") {
  ModelOptions o = small();
  o.target_vocabulary = 8;
  require_twin(*make_ensemble([&] {
    std::vector<std::unique_ptr<Seq2Seq>> members;
    for (int m = 0; m < 2; ++m) members.push_back(make_model(o, Params(Random(4))));
    return members;
  }()));
}

TEST_CASE("shortlist: a source has the same result in a batch, even if other sources have more words") {
  ModelOptions o = small();
  o.target_vocabulary = 8;
  const Made made(o);
  const Shortlist list = shortlist();
  const BeamOptions options{.beam = 4, .n_best = 4, .max_length = 6};
  const auto together = beam_search(made.model, all_sources(), list, options);
  for (std::size_t b = 0; b < 3; ++b)
    check_close({together[b]}, beam_search(made.model, data::make_source_batch(unlike_sources(), {b}), list, options));
  for (const Hypothesis& h : together[1])
    for (const Id id : h.ids) CHECK((id == data::unk_id || id == 6));
}

TEST_CASE("shortlist: a decoder without one reports it") {
  const Made made(with(small(), {{"model", "transformer-lm"}}));
  CHECK_THROWS_AS(made.model.decoder().with_words({0, 1, 2, 3, 5}), std::invalid_argument);
}
