// Properties of encoders, and of every encoder with every decoder that has attention.
#include "models/encoder.h"

#include <cmath>

#include "autograd/optimise/clip.h"
#include "autograd/optimise/optimiser.h"
#include "layers/transformer/positions.h"
#include "models/training/batch_gradient.h"
#include "tests/models/kinds.h"

using namespace softalign;

namespace {

using namespace kinds;

const double exact = sizeof(Real) == 8 ? 1e-12 : 1e-5;

// An encoder without a decoder, with random parameters.
struct Reader {
  ModelOptions options;
  Params params{Random(1)};
  layers::Embedding words;
  std::unique_ptr<Encoder> encoder;
  explicit Reader(const nlohmann::json& json)
      : options(completed(with(small(), json))),
        words(params / "source", options.source_vocabulary, encoder_kind(options.encoder).embedding(options),
              layers::normal(1)),
        encoder(make_encoder(options, Directions::added, words, params / "encoder")) {
    Random random(2);
    compare::randomise(params, random);
  }
  Array states(const data::Ids& source) const {
    const std::vector<data::EncodedPair> alone{{source, {4}}};
    return (*encoder)(data::make_batch(alone, {0}), ReturnWeights::no).states.value();
  }
};

const std::vector<std::string> decoders{"rnnsearch", "luong", "lstmn", "transformer"};

}  // namespace

// Gehring et al. 2017, section 3.2
TEST_CASE("encoder convolution: x_l = x_{l-1} + tanh(conv(x_{l-1})) from embeddings and positions, word by word") {
  const Reader reader({{"encoder", "convolution"}, {"layers", 2}});
  const data::Ids source{5, 4, 7, 6, data::end_id};
  const std::size_t S = source.size(), d = reader.options.hidden;
  const auto number = [&](const std::string& name, std::size_t i) {
    const auto& all = reader.params.all();
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& p) { return p.name == "encoder/" + name; });
    REQUIRE(found != all.end());
    return static_cast<double>(found->var.value()[i]);
  };
  const Array places = layers::sinusoids(0, S, d);
  std::vector<std::vector<double>> x(S, std::vector<double>(d));
  for (std::size_t j = 0; j < S; ++j)
    for (std::size_t n = 0; n < d; ++n)
      x[j][n] = std::sqrt(static_cast<double>(d)) *
                    static_cast<double>(reader.words.E.value()[static_cast<std::size_t>(source[j]) * d + n]) +
                static_cast<double>(places[j * d + n]);
  for (const std::string layer : {"layer0/", "layer1/"}) {
    const auto before = x;
    for (std::size_t j = 0; j < S; ++j)
      for (std::size_t n = 0; n < d; ++n) {
        double inside = number(layer + "b", n);
        for (std::size_t u = 0; u < 3; ++u)
          for (std::size_t k = 0; k < d && j + u >= 1 && j + u <= S; ++k)
            inside += before[j + u - 1][k] * number(layer + "W", (u * d + k) * d + n);
        x[j][n] += std::tanh(inside);
      }
  }
  const Array states = reader.states({source.begin(), source.end() - 1});
  REQUIRE(states.size() == S * d);
  for (std::size_t j = 0; j < S; ++j)
    for (std::size_t n = 0; n < d; ++n) CHECK(static_cast<double>(states[j * d + n]) == Approx(x[j][n]).epsilon(1e-5));
}

TEST_CASE("encoder convolution: after L layers a state depends on words up to L away and on no others") {
  for (const std::size_t L : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
    const Reader reader({{"encoder", "convolution"}, {"layers", L}});
    const data::Ids source{5, 4, 7, 6, 5, 4, 7, 6, 5};
    data::Ids other = source;
    other[4] = 4;
    const Array a = reader.states(source), b = reader.states(other);
    const std::size_t d = reader.options.hidden;
    for (std::size_t j = 0; j < source.size(); ++j) {
      bool same = true;
      for (std::size_t n = 0; n < d; ++n) same = same && a[j * d + n] == b[j * d + n];
      CHECK(same == (std::max<std::size_t>(j, 4) - std::min<std::size_t>(j, 4) > L));
    }
  }
}

TEST_CASE("encoders: the mean over a sentence's words excludes padding") {
  Random random(3);
  const Array h = compare::random_array({4, 2, 3}, random);
  const Array mean = mean_over_words(autograd::constant(h), {4, 2}).value();
  for (std::size_t b = 0; b < 2; ++b)
    for (std::size_t n = 0; n < 3; ++n) {
      const std::size_t length = b == 0 ? 4 : 2;
      double sum = 0;
      for (std::size_t j = 0; j < length; ++j) sum += static_cast<double>(h[(j * 2 + b) * 3 + n]);
      CHECK(static_cast<double>(mean[b * 3 + n]) == Approx(sum / static_cast<double>(length)).epsilon(exact));
    }
}

TEST_CASE("encoders: self-attention of transformer and lstmn encoders reaches every decoder's records") {
  for (const std::string& decoder : decoders)
    for (const std::string& encoder : known_encoders()) {
      INFO(decoder << " " << encoder);
      const ModelOptions o = kind({{"model", decoder}, {"encoder", encoder}}).options;
      const Made made(o);
      std::size_t looks = 0;
      for (const Heads& heads : made.model.self_attention(all_pairs(o)))
        looks += heads.kind == data::HeadKind::encoder_self;
      CHECK(looks == (encoder == "transformer" || encoder == "lstmn" ? 1 : 0));
    }
}

// Cheng et al. 2016, section 3.2
TEST_CASE("encoder lstmn: one head attends to earlier words, one to later words, and padding has no weight") {
  const ModelOptions o = kind({{"encoder", "lstmn"}, {"layers", 2}}).options;
  const Made made(o);
  const Batch batch = all_pairs();
  const std::size_t S = batch.source_steps, B = batch.size;
  const std::vector<Heads> looks = made.model.self_attention(batch);
  REQUIRE(looks.size() == 2);
  for (const Heads& layer : looks) {
    REQUIRE(layer.weights.shape() == Shape{S * B, 2, S});
    for (std::size_t b = 0; b < B; ++b)
      for (std::size_t j = 0; j < batch.source_lengths[b]; ++j)
        for (const bool back : {true, false}) {
          double sum = 0;
          for (std::size_t i = 0; i < S; ++i) {
            const Real weight = layer.weights.value()[((j * B + b) * 2 + (back ? 0 : 1)) * S + i];
            const bool visible = back ? i < j : i > j && i < batch.source_lengths[b];
            CHECK((weight > 0) == visible);
            sum += static_cast<double>(weight);
          }
          const bool first = j == (back ? 0 : batch.source_lengths[b] - 1);
          CHECK(sum == Approx(first ? 0 : 1).margin(1e-6));
        }
  }
}

TEST_CASE("encoder lstmn: in the backward direction each word attends to later words, and </s> to all") {
  const nlohmann::json json{{"model", "luong"}, {"encoder", "lstmn"}, {"unidirectional", true}};
  ModelOptions o = kind(json).options;
  o.reverse_source = true;
  const Made made(o);
  const Batch batch = data::make_batch(pairs, {0});  // three words and </s>
  const Var weights = made.model.self_attention(batch).at(0).weights;
  REQUIRE(weights.shape() == Shape{4, 1, 4});
  const std::vector<std::vector<bool>> visible{
      {false, true, true, false}, {false, false, true, false}, {false, false, false, false}, {true, true, true, false}};
  for (std::size_t j = 0; j < 4; ++j)
    for (std::size_t i = 0; i < 4; ++i) CHECK((weights.value()[j * 4 + i] > 0) == visible[j][i]);
}

TEST_CASE("encoder lstmn: each word's cell is at the position of its state in both directions") {
  const auto reading = [](bool reverse, const data::Ids& words) {
    const Params params{Random(1)};
    ModelOptions o = completed(with(small(), {{"encoder", "lstmn"}}));
    o.reverse_source = reverse;
    const layers::Embedding table(params / "source", o.source_vocabulary, o.embedding, layers::normal(1));
    const auto encoder = make_encoder(o, Directions::forward, table, params / "encoder");
    Random random(2);
    compare::randomise(params, random);
    return (*encoder)(data::make_batch(std::vector<data::EncodedPair>{{words, {4}}}, {0}), ReturnWeights::no);
  };
  const EncoderOutput there = reading(false, {5, 4, 7}), back = reading(true, {7, 4, 5});
  const Ids words_turned{2, 1, 0, 3};  // </s> is last in both
  const auto rows = [](const Var& x) { return reshape(x, {4, 4}); };
  CHECK(compare::relative_error(gather(rows(back.states), words_turned).value(), rows(there.states).value()) < exact);
  CHECK(compare::relative_error(gather(rows(back.cells), words_turned).value(), rows(there.cells).value()) < exact);
  CHECK(compare::relative_error(at(there.cells, 3).value(), there.forward[0].c.value()) < exact);
  CHECK(compare::relative_error(there.cells.value(), there.states.value()) > 0.1);
}

TEST_CASE("encoder lstmn: luong starts from its last states, and from its cells if the decoder is an LSTM") {
  const auto cells_of = [](const char* cell) {
    const ModelOptions o = kind({{"model", "luong"}, {"encoder", "lstmn"}, {"cell", cell}}).options;
    const Made made(o);
    State state = made.model.decoder().start(made.model.encode(all_pairs()));
    double cells = 0;
    state.each([&](const std::string& name, Var& part) {
      if (name == "h/layers/0/c")
        for (const Real c : part.value().span()) cells += std::abs(static_cast<double>(c));
    });
    return cells;
  };
  CHECK(cells_of("lstm") > 0.1);
  CHECK(cells_of("gru") == 0);
}

TEST_CASE("encoders: the units of a recurrent encoder follow its name, not the decoder's cell") {
  const auto count = [](const nlohmann::json& json) { return count_parameters(with(small(), json)); };
  for (const std::string& decoder : decoders) {
    const auto of = [&](const char* encoder, const char* cell) {
      return count({{"model", decoder}, {"encoder", encoder}, {"cell", cell}});
    };
    const std::size_t gates = 2 * (3 * 4 + 4 * 4 + 4);  // W, U and b of one gate, in both directions: E = 3, H = 4
    CHECK(of("lstm", "lstm") - of("gru", "lstm") == gates);
    CHECK(of("lstm", "gru") - of("gru", "gru") == gates);
  }
}

TEST_CASE("every encoder trains with every decoder that attends") {
  for (const std::string& decoder : decoders)
    for (const std::string& encoder : known_encoders()) {
      INFO(decoder << " " << encoder);
      const ModelOptions o = with(small(), {{"model", decoder},
                                            {"encoder", encoder},
                                            {"embedding", 8},
                                            {"hidden", 8},
                                            {"readout", 8},
                                            {"initialiser", "default"}});
      const Params params{Random(1)};
      const auto model = make_model(o, params);
      autograd::Optimiser optimiser(params, {});
      Random random(1);
      const Batch batch = all_pairs(o);
      const auto loss = [&] {
        return static_cast<double>(mean_loss(model->teacher_forced(batch), batch).value().item());
      };
      const double before = loss();
      for (std::size_t step = 0; step < 150; ++step) {
        add_batch_gradient(*model, params, batch, {}, random);
        clip_by_global_norm(params, 1);
        optimiser.step(1e-2);
      }
      CHECK(loss() < 0.1 * before);
    }
}
