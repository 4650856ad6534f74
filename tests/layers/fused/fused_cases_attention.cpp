// Attention over memories that rows share or do not share, and the output layer with padding and label smoothing.
#include <fmt/format.h>

#include "layers/attention/scores.h"
#include "layers/attention/window.h"
#include "layers/dense/output.h"
#include "tests/compare.h"
#include "tests/layers/fused/fused_cases.h"

namespace fused_cases {

using compare::random_array;

namespace {

struct Attending {
  std::size_t S, B, K;
  Ids sentence;
  std::string name;
};
std::vector<Attending> attending() {
  Ids all(80), shared(80);
  for (std::size_t b = 0; b < all.size(); ++b) {
    all[b] = static_cast<Id>(b);
    shared[b] = static_cast<Id>(b % 2);
  }
  return {{1, 1, 1, {0}, " one of each"},
          {4, 3, 3, {0, 1, 2}, " one row a sentence"},
          {5, 2, 17, {1, 0, 1, 1}, " rows sharing a sentence"},
          {3, 2, 33, {1}, " one row of two sentences"},
          {3, 2, 5, {}, " no row"},
          {0, 2, 5, {0, 1}, " no step"},
          {6, 80, 40, all, " several threads"},
          {6, 2, 40, shared, " many rows sharing two sentences"}};
}

}  // namespace

Cases additive_scores_cases() {
  Cases cases;
  for (const Attending& a : attending()) {
    Random random(a.K);
    const std::size_t R = a.sentence.size();
    const Inputs plain{variable(random_array({R, a.K}, random)), variable(random_array({a.S, a.B, a.K}, random)),
                       variable(random_array({a.K}, random))};
    cases.push_back(
        {a.name, plain, [a](const Inputs& x) { return additive_scores(x[0], x[1], x[2], {}, {}, a.sentence); }});
    Inputs covered = plain;
    covered.push_back(variable(random_array({R, a.S}, random)));
    covered.push_back(variable(random_array({a.K}, random)));
    cases.push_back({a.name + " with coverage", covered,
                     [a](const Inputs& x) { return additive_scores(x[0], x[1], x[2], x[3], x[4], a.sentence); }});
  }
  return cases;
}

Cases dot_scores_cases() {
  Cases cases;
  for (const Attending& a : attending()) {
    Random random(a.K);
    cases.push_back(
        {a.name,
         {variable(random_array({a.sentence.size(), a.K}, random)), variable(random_array({a.S, a.B, a.K}, random))},
         [a](const Inputs& x) { return dot_scores(x[0], x[1], a.sentence); }});
  }
  return cases;
}

Cases gaussian_window_cases() {
  Cases cases;
  for (const Shape& s : {Shape{1, 1}, Shape{3, 5}, Shape{2, 33}, Shape{0, 4}, Shape{3, 0}, Shape{600, 30}})
    for (const Real sigma : {Real(0.5), Real(2.5)}) {
      Random random(s[1]);
      Array centres = random_array({s[0], 1}, random);
      for (Real& p : centres.span()) p = std::abs(p) * Real(s[1]) / 3;
      cases.push_back({fmt::format(" {}{}", to_string(s), sigma > 1 ? " wide" : " narrow"),
                       {variable(random_array(s, random)), variable(centres)},
                       [sigma](const Inputs& x) { return gaussian_window(x[0], x[1], sigma); }});
    }
  return cases;
}

Cases weighted_sum_cases() {
  Cases cases;
  for (const Attending& a : attending()) {
    Random random(a.K);
    Array weights = random_array({a.sentence.size(), a.S}, random);
    if (weights.size() > 2) weights[1] = 0;  // the weight of padding is 0
    cases.push_back({a.name,
                     {variable(weights), variable(random_array({a.S, a.B, a.K}, random))},
                     [a](const Inputs& x) { return weighted_sum(x[0], x[1], a.sentence); }});
  }
  return cases;
}

Cases output_cross_entropy_cases() {
  struct Words {
    std::size_t E, V;
    Ids targets;
    std::string name;
  };
  Ids many(90);
  for (std::size_t n = 0; n < many.size(); ++n) many[n] = static_cast<Id>(n % 5 == 4 ? 0 : 1 + n);
  Cases cases;
  for (const Words& w :
       {Words{1, 2, {1}, " one row"}, Words{3, 5, {1, 0, 4, 2}, " padding inside"},
        Words{17, 33, {32, 1, 31, 0, 0}, " padding behind"}, Words{3, 5, {1, 2, 3}, " no padding"},
        Words{3, 5, {0, 0}, " padding only"}, Words{3, 5, {}, " no row"}, Words{4, 200, many, " several threads"}})
    for (const Real eps : {Real(0), Real(0.1)}) {
      Random random(w.V);
      cases.push_back({w.name + (eps > 0 ? ", smoothed" : ""),
                       {variable(random_array({w.targets.size(), w.E}, random)),
                        variable(random_array({w.E, w.V}, random)), variable(random_array({w.V}, random))},
                       [=](const Inputs& x) { return output_cross_entropy(x[0], x[1], x[2], w.targets, eps); }});
    }
  return cases;
}

}  // namespace fused_cases
