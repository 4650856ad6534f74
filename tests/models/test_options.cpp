// Options that make no sense are refused with a reason, alone or in combination.
#include <map>

#include "models/config.h"
#include "tests/models/kinds.h"

namespace {

using namespace kinds;
using Catch::Matchers::Contains;

struct Refused {
  nlohmann::json options;
  std::vector<std::string> says;
};

const std::vector<Refused> refused{
    // unknown names
    {{{"model", "perceptron"}},
     {"unknown model 'perceptron'; known are: rnnsearch, luong, encdec, lstmn, transformer"}},
    {{{"attention", "cosine"}}, {"unknown attention 'cosine'", "location, qkv, none"}},
    {{{"attention-window", "local"}}, {"unknown attention window 'local'", "global, local-m, local-p"}},
    {{{"tie", "source"}}, {"unknown tie 'source'", "none, target, all"}},
    {{{"encoder", "deep"}}, {"unknown encoder 'deep'", "lstm, gru, gru-pytorch, lstmn, convolution, transformer"}},
    {{{"model", "encdec"}, {"summary", "twice"}}, {"unknown summary 'twice'", "once, every-step"}},
    {{{"readout_state", "next"}}, {"unknown readout state 'next'", "current, previous"}},
    {{{"cell", "elman"}}, {"unknown cell 'elman'"}},
    {{{"readout_kind", "relu"}}, {"unknown readout kind 'relu'", "maxout, tanh"}},
    {{{"initial-state", "middle"}}, {"unknown initial state 'middle'", "backward, both"}},
    // numbers out of range
    {{{"embedding", 0}}, {"embedding is 0"}},
    {{{"hidden", 0}}, {"hidden is 0"}},
    {{{"layers", 0}}, {"layers is 0"}},
    {{{"attention_size", 0}}, {"attention size is 0"}},
    {{{"readout", 0}}, {"readout is 0"}},
    {{{"target_vocabulary", 0}}, {"target vocabulary is 0"}},
    {{{"heads", 0}}, {"heads is 0; a whole number in 1..1024 is expected"}},
    {{{"attention", "location"}, {"known-positions", 0}}, {"known positions is 0"}},
    {{{"dropout", 1}}, {"dropout is 1"}},
    {{{"dropout", -0.1}}, {"dropout is -0.1"}},
    {{{"window", 0.5}}, {"window is 0.5"}},
    // combinations
    {{{"attention", "none"}}, {"model rnnsearch needs attention", "encdec"}},
    {{{"attention", "dot"}},
     {"dot needs a query and source states of the same size", "attention general, or model luong"}},
    {{{"scale", true}}, {"scale needs attention dot or general", "the attention is additive"}},
    {{{"attention", "qkv"}, {"scale", true}}, {"qkv already scales its scores"}},
    {{{"heads", 2}}, {"heads 2", "only attention qkv"}},
    {{{"attention", "qkv"}, {"heads", 4}},
     {"4 heads cannot divide an attention size of 6 equally. Use a multiple of the number of heads"}},
    {{{"model", "luong"}, {"coverage", true}}, {"coverage", "the attention is general"}},
    {{{"model", "encdec"}, {"attention", "general"}},
     {"encdec has no attention", "attention general is impossible", "rnnsearch or luong"}},
    {{{"model", "encdec"}, {"attention-window", "local-p"}}, {"encdec has no attention", "attention-window"}},
    {{{"model", "encdec"}, {"summary", "every-step"}, {"layers", 2}}, {"one decoder layer"}},
    {{{"residual", true}}, {"residual needs at least two layers"}},
    {{{"reverse_source", true}}, {"bidirectional", "reverse-source has no effect"}},
    {{{"model", "luong"}, {"reverse_source", true}}, {"bidirectional", "reverse-source has no effect"}},
    {{{"tie", "target"}}, {"tie: the output layer reads", "2 numbers (readout)", "an embedding has 3"}},
    {{{"model", "luong"}, {"tie", "target"}}, {"tie: the output layer reads", "4 numbers (hidden)"}},
    {{{"tie", "all"}, {"readout", 3}}, {"8 source words and 7 target words. Use tie target", "one shared vocabulary"}},
    {{{"model", "transformer"}, {"heads", 3}},
     {"3 heads cannot divide a hidden size of 4 equally. Use a multiple of the number of heads"}},
    {{{"model", "transformer"}, {"hidden", 3}}, {"sinusoidal needs an even hidden size", "3 is odd"}},
    {{{"model", "transformer"}, {"heads", 4}, {"positions", "rotary"}}, {"rotary needs heads of even size"}},
    {{{"model", "transformer"}, {"positions", "rotary"}, {"self-attention", "linear"}},
     {"rotary needs self-attention softmax", "linear"}},
    {{{"self-attention", "reformer"}},
     {"unknown self attention 'reformer'", "softmax, linear, delta, positional, factorized"}},
    {{{"model", "transformer"}, {"attention", "additive"}}, {"transformer supports only attention qkv, not additive"}},
    {{{"model", "transformer"}, {"scale", true}}, {"attention-window, scale and coverage have no effect"}},
    {{{"model", "transformer"}, {"tie", "all"}},
     {"8 source words and 7 target words. Use tie target", "one shared vocabulary"}},
    {{{"model", "transformer"}, {"norm", "around"}}, {"unknown norm 'around'", "pre, post"}},
    {{{"encoder", "transformer"}, {"heads", 3}},
     {"3 heads cannot divide a hidden size of 4 equally. Use a multiple of the number of heads"}},
    {{{"model", "transformer-lm"}, {"tie", "all"}, {"target_vocabulary", 8}}, {"no source words", "Use --tie target"}},
    {{{"model", "rnn-lm"}, {"tie", "target"}}, {"tie: the output layer reads", "reads 4 numbers (hidden)"}},
    {{{"model", "rnn-lm"}, {"residual", true}}, {"residual needs at least two layers"}},
    {{{"model", "lstmn-lm"}, {"residual", true}}, {"residual needs at least two layers"}},
    {{{"model", "lstmn-lm"}, {"attention", "additive"}}, {"lstmn-lm has no attention"}},
    {{{"model", "lstmn"}, {"fusion", "wide"}}, {"unknown fusion 'wide'", "shallow, deep"}},
    {{{"model", "lstmn"}, {"attention", "dot"}},
     {"dot needs a query and source states of the same size", "attention general, or model luong"}},
    {{{"model", "lstmn"}, {"encoder", "gru"}, {"fusion", "deep"}},
     {"cells", "encoder gru has none", "use --encoder lstmn"}},
    {{{"model", "lstmn"}, {"attention", "qkv"}, {"fusion", "deep"}}, {"qkv projects them"}},
    {{{"model", "lstmn"}, {"reverse_source", true}}, {"bidirectional", "reverse-source has no effect"}},
    {{{"model", "memory-network"}, {"attention", "additive"}},
     {"memory-network supports only attention dot, not additive"}},
    {{{"model", "attentive-reader"}, {"heads", 2}}, {"one head of global attention"}},
    {{{"model", "memory-network"}, {"tie", "all"}},
     {"8 source words and 7 target words. Remove --tie", "one shared vocabulary"}},
    {{{"model", "decomposable"}, {"tie", "target"}}, {"no embeddings of labels"}},
    {{{"encoder", "convolution"}, {"hidden", 3}}, {"sinusoidal needs an even hidden size", "3 is odd"}},
    {{{"encoder", "convolution"}, {"positions", "rotary"}}, {"positions rotary", "a convolution has none"}},
    {{{"encoder", "transformer"}, {"tie", "all"}, {"readout", 3}, {"target_vocabulary", 8}},
     {"tie all: the encoder reads word vectors with 4 numbers, but the decoder reads 3", "hidden and embedding equal"}},
    {{{"model", "luong"}, {"encoder", "transformer"}, {"unidirectional", true}}, {"reads all words at once"}},
    {{{"hard-attention", true}}, {"hard-attention needs model show-attend-tell", "rnnsearch has only soft attention"}},
    {{{"model", "transformer"}, {"hard-attention", true}}, {"transformer has only soft attention"}},
    {{{"positions", "rope"}}, {"unknown positions 'rope'", "sinusoidal, learned, none, rotary, concatenated"}},
};

}  // namespace

TEST_CASE("models: invalid options are refused with the reason") {
  for (const Refused& r : refused) {
    INFO(r.options.dump());
    std::string message;
    try {
      const ModelOptions o = with(small(), r.options);
      Params p{Random(1)};
      make_model(o, p);
    } catch (const std::invalid_argument& error) {
      message = error.what();
    }
    for (const std::string& words : r.says) CHECK_THAT(message, Contains(words));
  }
}

TEST_CASE("models: an unused option changes nothing or is refused") {
  const auto losses = [](const ModelOptions& o) { return Made(o).model.teacher_forced(all_pairs()).losses.value(); };
  std::size_t unused = 0;
  for (const nlohmann::json& json : std::vector<nlohmann::json>{{{"model", "rnnsearch"}},
                                                                {{"model", "luong"}},
                                                                {{"model", "encdec"}},
                                                                {{"model", "transformer"}},
                                                                {{"summary", "every-step"}, {"model", "encdec"}}}) {
    const ModelOptions o = with(small(), json);
    const std::vector<std::string> uses = uses_of(o);
    for (const auto& [name, value] : alternatives(o)) {
      if (std::find(uses.begin(), uses.end(), name) != uses.end()) continue;
      const ModelOptions changed = with(o, {{name, value}});
      INFO(json.dump() << " " << name << " " << value.dump());
      if (!problem_of(changed).empty()) continue;
      CHECK(compare::relative_error(losses(changed), losses(o)) == 0);
      ++unused;
    }
  }
  CHECK(unused > 20);
}

TEST_CASE("models: an author's name selects the model and is not stored") {
  const auto with_name = [](const std::string& name) {
    ModelOptions o = small();
    o.model = name;
    return o;
  };
  CHECK(known_authors() == std::vector<std::string>{"bahdanau", "sutskever", "cho", "vaswani", "xu", "sukhbaatar",
                                                    "hermann", "parikh", "radford", "mikolov", "cheng"});
  CHECK(completed(with_name("bahdanau")).model == "rnnsearch");
  CHECK(completed(with_name("bahdanau")).attention == layers::ScoreKind::additive);
  const ModelOptions sutskever = completed(with_name("sutskever")), cho = completed(with_name("cho"));
  CHECK((sutskever.model == "encdec" && sutskever.summary == Summary::once));
  CHECK((cho.model == "encdec" && cho.summary == Summary::every_step));
  CHECK(family_of(cho).author == "cho");
  for (const std::string& author : known_authors()) CHECK(problem_of(with_name(author)).empty());
  CHECK_THAT(problem_of(with_name("bahdanua")),
             Contains("did you mean bahdanau, which is another name of one of these?"));
}

TEST_CASE("models: the default encoder is the model's own, and a direction is not an encoder") {
  const auto made_of = [](const nlohmann::json& json) { return completed(with(small(), json)); };
  CHECK(made_of({{"cell", "gru"}}).encoder == "gru");
  CHECK(made_of({{"model", "transformer"}, {"cell", "gru"}}).encoder == "transformer");
  CHECK(made_of({{"encoder", "convolution"}}).encoder == "convolution");
  for (const std::string model : {"rnnsearch", "luong", "transformer"})
    for (const std::string old : {"bidirectional", "unidirectional"}) {
      ModelOptions o = small();
      read_config(table(o), nlohmann::json{{"model", model}, {"encoder", old}}.dump(), "config.json");
      o = completed(o);
      CHECK(o.encoder == (model == "transformer" ? "transformer" : "lstm"));
      CHECK(problem_of(o).empty());
      CHECK(o.unidirectional == (old == "unidirectional"));
    }
}

TEST_CASE("models: rotary positions are the default if they are possible") {
  const auto positions = [](nlohmann::json json) {
    json["hidden"] = 8, json["heads"] = json.value("heads", 2);
    const ModelOptions o = completed(with(small(), json));
    CHECK(problem_of(o) == "");
    return std::string(name_of(*o.positions));
  };
  CHECK(positions({{"model", "transformer"}}) == "rotary");
  CHECK(positions({{"model", "transformer-lm"}}) == "rotary");
  CHECK(positions({{"encoder", "transformer"}}) == "rotary");
  CHECK(positions({{"model", "transformer"}, {"encoder", "lstm"}}) == "rotary");
  CHECK(positions({{"model", "transformer"}, {"positions", "learned"}}) == "learned");
  // A head of one number has no pair to rotate.
  CHECK(positions({{"model", "transformer"}, {"heads", 8}}) == "sinusoidal");
  CHECK(positions({{"model", "transformer"}, {"self-attention", "delta"}}) == "sinusoidal");
  CHECK(positions({{"model", "transformer"}, {"encoder", "convolution"}}) == "sinusoidal");
  CHECK(positions({{"encoder", "lstm"}, {"heads", 1}}) ==
        "sinusoidal");  // the model has no positions, but its configuration always said this
}

TEST_CASE("models: the options of every buildable kind are valid, and empty ones get the model's defaults") {
  for (const auto& [name, o] : all()) {
    INFO(name);
    CHECK(problem_of(o).empty());
  }
  for (const std::string& model : known_models()) {
    ModelOptions o = small();
    o.model = model;
    CHECK(problem_of(o).empty());
    CHECK(problem_of(completed(o)).empty());
    struct Own {
      std::string attention, initialiser, when_scaled;
    };
    const std::map<std::string, Own> own{{"rnnsearch", {"additive", "luong", "default"}},
                                         {"luong", {"general", "luong", "default"}},
                                         {"encdec", {"none", "default", "default"}},
                                         {"lstmn", {"additive", "luong", "default"}},
                                         {"transformer", {"qkv", "transformer", "transformer"}},
                                         {"show-attend-tell", {"additive", "default", "default"}},
                                         {"memory-network", {"dot", "default", "default"}},
                                         {"attentive-reader", {"additive", "default", "default"}},
                                         {"decomposable", {"dot", "default", "default"}},
                                         {"transformer-lm", {"none", "transformer", "transformer"}},
                                         {"rnn-lm", {"none", "default", "default"}},
                                         {"lstmn-lm", {"none", "default", "default"}}};
    INFO(model);
    CHECK(name_of(*completed(o).attention) == own.at(model).attention);
    CHECK(name_of(*completed(o).initialiser) == own.at(model).initialiser);
    if (model == "rnnsearch" || model == "lstmn") o.attention = layers::ScoreKind::general;
    o.scale = true;
    CHECK(name_of(*completed(o).initialiser) == own.at(model).when_scaled);
    o.initialiser = layers::InitialiserKind::paper;
    CHECK(completed(o).initialiser == layers::InitialiserKind::paper);
  }
}
