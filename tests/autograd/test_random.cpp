// Tests Philox bit for bit, and the functions built on it. The expected numbers come from philox.py, which checks
// itself against the known answers of Random123.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "autograd/params.h"
#include "autograd/random.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;
using namespace autograd;

namespace {

constexpr std::uint64_t seed = 0x123456789abcdef;

std::vector<std::uint64_t> draws(Random random, std::size_t n) {
  std::vector<std::uint64_t> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(random.next());
  return values;
}

}  // namespace

TEST_CASE("random: Philox4x32-10 gives Random123's first known answer and equals an independent implementation") {
  CHECK(draws(Random(0), 2) == std::vector<std::uint64_t>{0xe169c58d6627e8d5, 0x9b00dbd8bc57ac4c});
  CHECK(draws(Random(seed), 5) == std::vector<std::uint64_t>{0xc58cb04bb850222e, 0x7a84fff914a7a020, 0x523e0d85adca1466,
                                                             0xb299da3f65401425, 0x823ccb40f7ce299f});
  Random far(seed);
  far.set_position((std::uint64_t{1} << 34) - 1);  // the draws use the counter's second word
  CHECK(draws(far, 3) == std::vector<std::uint64_t>{0x408afa440076190c, 0x8ba69810c130fa24, 0xa5294e6eb4df5927});
  CHECK(draws(Random(seed).split("encoder/forward/W"), 2) ==
        std::vector<std::uint64_t>{0x0911132ea1a36a87, 0x6be53e1506336210});
  CHECK(draws(Random(seed).split(7), 2) == std::vector<std::uint64_t>{0xd61467d4486249ed, 0x34979488a1713661});
}

TEST_CASE("random: a stream resumes at its position") {
  Random a(seed);
  for (int i = 0; i < 7; ++i) a.next();
  Random b(seed);
  b.set_position(a.position());
  CHECK(draws(a, 5) == draws(b, 5));
}

TEST_CASE("random: numbers that fill an array equal numbers that are drawn one by one") {
  for (const std::uint64_t position : {std::uint64_t{0}, std::uint64_t{7}, (std::uint64_t{1} << 33) - 40})
    for (const std::size_t n :
         {std::size_t{0}, std::size_t{1}, std::size_t{31}, std::size_t{32}, std::size_t{33}, std::size_t{200}}) {
      Random one(seed), many(seed);
      one.set_position(position);
      many.set_position(position);
      std::vector<std::uint64_t> filled(n);
      many.fill(filled);
      INFO(n << " draws from " << position);
      CHECK(filled == draws(one, n));
      for (std::size_t i = 0; i < n; ++i) one.next();
      CHECK(many.next() == one.next());
    }
}

TEST_CASE("random: a named stream depends on its name only, and different names give different streams") {
  Random a(seed);
  const auto before = draws(a.split("W"), 3);
  a.next();
  CHECK(draws(a.split("W"), 3) == before);
  std::set<std::uint64_t> firsts{a.next()};
  for (const char* name : {"W", "U", "w", "", "W ", "WW"}) firsts.insert(a.split(name).next());
  for (std::uint64_t i = 0; i < 1000; ++i) firsts.insert(a.split(i).next());
  CHECK(firsts.size() == 1007);
  CHECK(a.split("a").split("b").next() != a.split("b").split("a").next());
}

TEST_CASE("random: uniform stays between 0 and 1 and has its moments") {
  Random random(1);
  const int n = 200000;
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    const double u = random.uniform();
    REQUIRE((u >= 0 && u < 1));
    sum += u;
    squares += u * u;
  }
  CHECK(std::abs(sum / n - 0.5) < 5 * std::sqrt(1.0 / 12 / n));
  CHECK(std::abs(squares / n - 1.0 / 3) < 5 * std::sqrt(4.0 / 45 / n));
}

TEST_CASE("random: below is uniform, even for ranges where modulo is biased") {
  Random random(2);
  const int n = 70000;
  std::vector<int> counts(7);
  for (int i = 0; i < n; ++i) ++counts[random.below(7)];
  double chi_square = 0;
  for (const int c : counts) chi_square += (c - n / 7.0) * (c - n / 7.0) / (n / 7.0);
  CHECK(chi_square < 27.9);  // 6 degrees of freedom, p = 1e-4

  const std::size_t three_quarters = std::size_t{3}
                                     << (8 * sizeof(std::size_t) - 2);  // the range modulo it is a third of it
  int low = 0;
  for (int i = 0; i < n; ++i) low += random.below(three_quarters) < three_quarters / 3;
  CHECK(std::abs(low / static_cast<double>(n) - 1.0 / 3) < 5 * std::sqrt(2.0 / 9 / n));

  CHECK(random.below(1) == 0);
  CHECK_THROWS_AS(random.below(0), std::invalid_argument);
}

TEST_CASE("random: normal has the moments and tails of N(0, 1)") {
  Random random(3);
  const int n = 200000;
  double m1 = 0, m2 = 0, m3 = 0, m4 = 0;
  int beyond_two = 0;
  for (int i = 0; i < n; ++i) {
    const double x = random.normal();
    REQUIRE(std::isfinite(x));
    m1 += x / n;
    m2 += x * x / n;
    m3 += x * x * x / n;
    m4 += x * x * x * x / n;
    beyond_two += std::abs(x) > 2;
  }
  CHECK(std::abs(m1) < 5 * std::sqrt(1.0 / n));
  CHECK(std::abs(m2 - 1) < 5 * std::sqrt(2.0 / n));
  CHECK(std::abs(m3) < 5 * std::sqrt(15.0 / n));
  CHECK(std::abs(m4 - 3) < 5 * std::sqrt(96.0 / n));
  CHECK(std::abs(beyond_two / static_cast<double>(n) - 0.0455) < 5 * std::sqrt(0.0455 / n));
}

TEST_CASE("random: shuffle gives every order equally often") {
  Random random(4);
  const int n = 24000;
  std::vector<int> counts(24);
  for (int i = 0; i < n; ++i) {
    std::vector<int> items{0, 1, 2, 3};
    random.shuffle(items);
    std::vector<int> order{0, 1, 2, 3};
    std::size_t rank = 0;
    while (order != items) {
      REQUIRE(std::next_permutation(order.begin(), order.end()));
      ++rank;
    }
    ++counts[rank];
  }
  double chi_square = 0;
  for (const int c : counts) chi_square += (c - n / 24.0) * (c - n / 24.0) / (n / 24.0);
  CHECK(chi_square < 58.6);  // 23 degrees of freedom, p = 6e-5
}

TEST_CASE("random: two of four items are different, and all pairs are equally frequent") {
  Random random(5);
  const int n = 24000;
  const std::vector<std::string> items{"a", "b", "c", "d"};
  std::map<std::vector<std::string>, int> counts;
  for (int i = 0; i < n; ++i) {
    const std::vector<std::string> chosen = random.some_of(items, 2);
    REQUIRE(chosen.size() == 2);
    REQUIRE(chosen[0] != chosen[1]);
    ++counts[chosen];
  }
  REQUIRE(counts.size() == 12);
  double chi_square = 0;
  for (const auto& [chosen, c] : counts) chi_square += (c - n / 12.0) * (c - n / 12.0) / (n / 12.0);
  CHECK(chi_square < 37.4);  // 11 degrees of freedom, p = 1e-4

  std::vector<std::size_t> all = random.different(9, 9);
  std::sort(all.begin(), all.end());
  CHECK(all == std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(random.different(0, 9).empty());
  CHECK_THROWS_AS(random.different(10, 9), std::invalid_argument);

  std::set<std::string> drawn;
  for (int i = 0; i < 200; ++i) drawn.insert(random.one_of(items));
  CHECK(drawn == std::set<std::string>(items.begin(), items.end()));
}

TEST_CASE("params: a parameter's initial value depends on its name only, and names are unique and in order") {
  const auto normal = [](Array& a, Random& r) {
    for (Real& v : a.span()) v = static_cast<Real>(r.normal());
  };
  Params one(Random(5)), two(Random(5));
  const Var W = (one / "encoder" / "forward").declare("W", {3, 4}, normal);
  (two / "decoder").declare("V", {2}, normal);
  const Var same = (two / "encoder").declare("forward/W", {3, 4}, normal);
  CHECK(compare::same_bits(W.value(), same.value()));
  REQUIRE(two.all().size() == 2);
  CHECK(two.all()[0].name == "decoder/V");
  CHECK(two.all()[1].name == "encoder/forward/W");
  CHECK(two.count() == 14);
  CHECK_THROWS_WITH((one / "encoder").declare("forward/W", {1}, normal), Catch::Contains("encoder/forward/W"));
  W.add_grad(Array({3, 4}, 1));
  one.zero_grad();
  CHECK_FALSE(W.grad().defined());
}

TEST_CASE("random: a weighted choice follows the weights and never chooses weight 0") {
  Random random(seed);
  const std::vector<double> weights{0, 1, 2, 0, 5, 0};
  std::vector<int> chosen(weights.size(), 0);
  for (int i = 0; i < 8000; ++i) ++chosen[random.choose(weights)];
  for (std::size_t i = 0; i < weights.size(); ++i) {
    INFO("position " << i << ", chosen " << chosen[i] << " times");
    CHECK(std::abs(chosen[i] - 1000 * weights[i]) <= 5 * std::sqrt(1000 * weights[i]));
  }
  CHECK(random.choose(std::vector<double>{0, std::nan(""), 3}) == 2);
  CHECK(random.choose(std::vector<double>{0, 0}) == 0);
}

TEST_CASE("FNV-1a has the published values") {
  CHECK(Fnv1a().value == 0xcbf29ce484222325);
  CHECK(Fnv1a().add("a").value == 0xaf63dc4c8601ec8c);
  CHECK(Fnv1a().add("foobar").value == 0x85944171f73967e8);
}
