// Compares the captioning decoder with PyTorch and tests its picture encoder: gradients and properties for any weights.
#include "models/pictures/show_attend_tell.h"

#include "autograd/gradcheck.h"
#include "autograd/ops/reduce.h"
#include "models/pictures/picture_encoder.h"
#include "models/search/beam_search.h"
#include "tests/golden.h"

using namespace softalign;

namespace {

using namespace models;
using autograd::constant;
using autograd::Params;
using autograd::Shape;
using compare::relative_error;

const double exact = sizeof(Real) == 8 ? 1e-12 : 1e-5;
constexpr std::size_t N = 4, B = 2, T = 3, V = 7, D = 5;

ModelOptions small() {
  ModelOptions o;
  o.target_vocabulary = V;
  o.embedding = 3, o.hidden = 4, o.attention_size = 2;
  o.dropout = 0;
  o.initialiser = layers::InitialiserKind::standard;
  return o;
}
const Targets captions{T, {2, 2, 4, 6, 5, 3}, {4, 6, 5, 3, 3, 0}};

struct SyntheticExample {
  Params p{Random(1)};
  ShowAttendTell decoder{small(), D, p};
  Var a;
  explicit SyntheticExample(std::uint64_t seed) {
    Random random(seed);
    compare::randomise(p, random, 1);
    a = autograd::variable(compare::random_array({N, B, D}, random));
  }
};

}  // namespace

// Xu et al. 2015, eq. 1-3, eq. 4-6, eq. 7, eq. 13, section 3.1.2, section 4.2.1.
TEST_CASE("show, attend and tell: losses and weights equal torch's, with all gradients") {
  golden::Golden g("show_attend_tell");
  Params p(Random(1));
  const ShowAttendTell decoder(small(), D, p);
  g.adopt(p);
  const TeacherForced forced = decoder.teacher_forced(decoder.memory(g("a")), captions, nullptr);
  g.check({{"losses", forced.losses}, {"weights", forced.weights.matrix}});
}

TEST_CASE("show, attend and tell: single steps equal the complete pass, and a batch changes nothing") {
  const SyntheticExample drawn(2);
  const Memory memory = drawn.decoder.memory(drawn.a);
  const TeacherForced forced = drawn.decoder.teacher_forced(memory, captions, nullptr);
  State state = drawn.decoder.start(memory);
  for (std::size_t t = 0; t < T; ++t) {
    const auto word = [&](const Ids& ids) { return Ids{ids[t * B], ids[t * B + 1]}; };
    const Step step = drawn.decoder.step(word(captions.in), state, memory);
    const Var losses = cross_entropy(step.logits, word(captions.out));
    CHECK(relative_error(losses.value(), forced.losses.value().rows(t * B, (t + 1) * B)) < exact);
    CHECK(relative_error(step.weights.matrix.value(), forced.weights.matrix.value().rows(t * B, (t + 1) * B)) < exact);
    state = step.state;
  }
  const TeacherForced alone =
      drawn.decoder.teacher_forced(drawn.decoder.memory(slice(drawn.a, 1, 0, 1)), {T, {2, 4, 5}, {4, 5, 3}}, nullptr);
  for (std::size_t t = 0; t < T; ++t)
    CHECK(relative_error(alone.losses.value().rows(t, t + 1), forced.losses.value().rows(t * B, t * B + 1)) < exact);
}

TEST_CASE("show, attend and tell: the order of the cells changes only the order of the weights") {
  const SyntheticExample drawn(3);
  const autograd::Ids order{2, 0, 3, 1};
  const Var in_order = reshape(gather(reshape(drawn.a, {N, B * D}), order), {N, B, D});
  const TeacherForced one = drawn.decoder.teacher_forced(drawn.decoder.memory(drawn.a), captions, nullptr);
  const TeacherForced other = drawn.decoder.teacher_forced(drawn.decoder.memory(in_order), captions, nullptr);
  CHECK(relative_error(other.losses.value(), one.losses.value()) < exact);
  for (std::size_t row = 0; row < T * B; ++row)
    for (std::size_t i = 0; i < N; ++i)
      CHECK(other.weights.matrix.value()[row * N + i] ==
            Approx(one.weights.matrix.value()[row * N + static_cast<std::size_t>(order[i])]).epsilon(1e-5));
}

TEST_CASE("show, attend and tell: beam search writes captions from pictures") {
  const SyntheticExample drawn(4);
  const Memory memory = drawn.decoder.memory(drawn.a);
  const auto found = beam_search(drawn.decoder, memory, {.beam = 3, .n_best = 2, .max_length = 5});
  REQUIRE(found.size() == B);
  for (const std::vector<Hypothesis>& best : found) {
    REQUIRE(best.size() == 2);
    // Finished hypotheses come before those that reached the length limit.
    CHECK(std::pair(best[0].finished, best[0].score) >= std::pair(best[1].finished, best[1].score));
    for (const auto& row : best[0].weights.matrix) CHECK(row.size() == N);
  }
}

// Xu et al. 2015, section 3.1.1.
TEST_CASE("picture encoder: it has a quarter of the pixels per side, correct gradients and positions of cells") {
  const Params p{Random(5)};
  const PictureEncoder encoder({.pixels = {12, 8}, .first = 3, .second = 4, .D = 5}, p,
                               layers::initialiser_config(layers::InitialiserKind::standard));
  CHECK(picture_cells({12, 8}) == Grid{3, 2});
  Random random(6);
  const Var pixels = constant(compare::random_array({96, 2, 3}, random));
  CHECK(encoder(pixels).shape() == Shape{6, 2, 5});
  CHECK(relative_error(encoder(slice(pixels, 1, 1, 2)).value(), slice(encoder(pixels), 1, 1, 2).value()) < exact);
#ifdef SOFTALIGN_DOUBLE
  const Var mix = constant(compare::random_array({6, 2, 5}, random));
  const autograd::GradcheckResult check = autograd::gradcheck(p, [&] { return sum(encoder(pixels) * mix); });
  INFO(check.report);
  CHECK(check.ok);
#endif

  using namespace softalign;
  // All cells except those at the border have equal inputs.
  const Var grey = encoder(constant(Array({96, 1, 3}, Real(.5))));
  CHECK(relative_error(slice(grey, 0, 3, 4).value(), slice(grey, 0, 5, 6).value()) > 1e-2);
}
