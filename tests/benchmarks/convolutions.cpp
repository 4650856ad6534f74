// bench_convolution compares layers::convolution_2d with oneDNN's convolution on one thread. It measures the
// convolutions of the picture encoder, forward and backward, in alternating rounds. oneDNN gets its data in its
// preferred layout, and the conversion to this layout is not measured. The program ends with 1 if the two do not agree.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dnnl.hpp>
#include <unordered_map>
#include <vector>

#include "apps/cli/command_line.h"
#include "autograd/var.h"
#include "layers/pictures/convolution_2d.h"
#include "tests/benchmarks/timing.h"

using namespace softalign;

namespace {

using autograd::Array;
using autograd::Grid;
using autograd::Patch;
using autograd::Real;
using autograd::Var;
using dnnl::memory;

struct Case {
  Grid grid;
  Patch patch;
  std::size_t B, C, N;
};

constexpr Case cases[] = {{{32, 32}, {3, 2, 1}, 32, 3, 24},
                          {{16, 16}, {3, 2, 1}, 32, 24, 48},
                          {{8, 8}, {3, 1, 1}, 32, 48, 48},
                          {{6, 6}, {3, 1, 1}, 32, 48, 64},
                          {{28, 28}, {3, 1, 1}, 8, 64, 64}};

Var drawn(const autograd::Shape& shape, autograd::Random& random) {
  Array values(shape);
  for (Real& value : values.span()) value = static_cast<Real>(random.uniform()) - Real(0.5);
  return autograd::variable(values);
}

memory::dim dim(std::size_t n) { return static_cast<memory::dim>(n); }

// Describes an array (cells, B, C) in oneDNN's order n, c, h, w.
memory::desc cells(const Grid& grid, std::size_t B, std::size_t C) {
  return {{dim(B), dim(C), dim(grid.height), dim(grid.width)},
          memory::data_type::f32,
          memory::dims{dim(C), 1, dim(grid.width * B * C), dim(B * C)}};
}

memory::desc anyhow(const memory::desc& d) { return {d.dims(), d.data_type(), memory::format_tag::any}; }

// The convolution of oneDNN: y from x, W, b, then dx, dW, db from dy.
class Peer {
 public:
  Peer(const Case& c, const Var& x, const Var& W, const Var& b, const Grid& places)
      : x_(cells(c.grid, c.B, c.C)),
        W_({dim(c.N), dim(c.C), dim(c.patch.size), dim(c.patch.size)}, memory::data_type::f32,
           memory::format_tag::hwio),
        y_(cells(places, c.B, c.N)),
        b_({dim(c.N)}, memory::data_type::f32, memory::format_tag::a) {
    const memory::dims strides(2, dim(c.patch.stride)), before(2, dim(c.patch.padding));
    const auto after = [&](std::size_t size, std::size_t out) {  // how far the last window reaches beyond the grid
      return dim((out - 1) * c.patch.stride + c.patch.size) - dim(size + c.patch.padding);
    };
    const memory::dims behind{after(c.grid.height, places.height), after(c.grid.width, places.width)};
    const memory::desc x_any = anyhow(x_), W_any = anyhow(W_), y_any = anyhow(y_);
    using dnnl::algorithm;
    const dnnl::convolution_forward::primitive_desc forward(
        {dnnl::prop_kind::forward_training, algorithm::convolution_auto, x_any, W_any, b_, y_any, strides, before,
         behind},
        engine_);
    const dnnl::convolution_backward_data::primitive_desc to_x(
        {algorithm::convolution_auto, x_any, W_any, y_any, strides, before, behind}, engine_, forward);
    const dnnl::convolution_backward_weights::primitive_desc to_W(
        {algorithm::convolution_auto, x_any, W_any, b_, y_any, strides, before, behind}, engine_, forward);
    const memory bias = pack_panels(b, b_, b_);
    made_ = memory(forward.dst_desc(), engine_);
    forward_ = {{dnnl::convolution_forward(forward),
                 {{DNNL_ARG_SRC, pack_panels(x, x_, forward.src_desc())},
                  {DNNL_ARG_WEIGHTS, pack_panels(W, W_, forward.weights_desc())},
                  {DNNL_ARG_BIAS, bias},
                  {DNNL_ARG_DST, made_}}}};
    backward_ = {{dnnl::convolution_backward_data(to_x),
                  {{DNNL_ARG_DIFF_DST, filled(to_x.diff_dst_desc())},
                   {DNNL_ARG_WEIGHTS, pack_panels(W, W_, to_x.weights_desc())},
                   {DNNL_ARG_DIFF_SRC, memory(to_x.diff_src_desc(), engine_)}}},
                 {dnnl::convolution_backward_weights(to_W),
                  {{DNNL_ARG_SRC, pack_panels(x, x_, to_W.src_desc())},
                   {DNNL_ARG_DIFF_DST, filled(to_W.diff_dst_desc())},
                   {DNNL_ARG_DIFF_WEIGHTS, memory(to_W.diff_weights_desc(), engine_)},
                   {DNNL_ARG_DIFF_BIAS, memory(b_, engine_)}}}};
  }

  void forward() { run(forward_); }
  void backward() { run(backward_); }

  // The largest difference between the baseline's y and ours.
  double distance(const Array& ours) {
    std::vector<float> theirs(ours.size());
    memory plain(y_, engine_, theirs.data());
    dnnl::reorder(made_, plain).execute(stream_, made_, plain);
    stream_.wait();
    double most = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) most = std::max(most, std::abs(double(ours.data()[i]) - theirs[i]));
    return most;
  }

 private:
  struct Step {
    dnnl::primitive primitive;
    std::unordered_map<int, memory> arguments;
  };

  memory pack_panels(const Var& values, const memory::desc& from, const memory::desc& to) {
    memory plain(from, engine_, const_cast<Real*>(values.value().data())), result(to, engine_);
    dnnl::reorder(plain, result).execute(stream_, plain, result);
    stream_.wait();
    return result;
  }

  memory filled(const memory::desc& d) {
    memory result(d, engine_);
    std::fill_n(static_cast<float*>(result.get_data_handle()), d.get_size() / sizeof(float), 1.0F);
    return result;
  }

  void run(const std::vector<Step>& steps) {
    for (const Step& step : steps) step.primitive.execute(stream_, step.arguments);
    stream_.wait();
  }

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  memory::desc x_, W_, y_, b_;
  memory made_;
  std::vector<Step> forward_, backward_;
};

}  // namespace

int main(int argc, char** argv) {
  apps::CommonOptions common;
  common.threads = 1;
  double seconds = 0.3;
  std::size_t rounds = 7;
  apps::CommandLine line("bench_convolution", "Our convolution beside oneDNN's, each on one thread.",
                         {"bench_convolution --rounds 9"}, common);
  line.add("seconds", &seconds, "measure each at least so long in every round", apps::between(0, 1e6));
  line.add("rounds", &rounds, "alternating rounds", apps::between(1, 1000));
  return line.run(argc, argv, [&] {
    autograd::Random random(common.seed);
    bool agree = true;
    fmt::print("{:<36} {:>10} {:>10}   ours / oneDNN's time (spread)\n", "", "ours, us", "oneDNN, us");
    for (const Case& c : cases) {
      const Grid places = grid_of(c.grid, c.patch);
      const Var x = drawn({c.grid.cells(), c.B, c.C}, random), b = drawn({c.N}, random),
                W = drawn({c.patch.size * c.patch.size * c.C, c.N}, random);
      Array dy({places.cells(), c.B, c.N});
      dy.fill(1);
      Peer peer(c, x, W, b, places);
      const auto forward = [&] { return layers::convolution_2d(x, W, b, c.grid, c.patch); };
      const auto step = [&] {
        backward(forward(), dy);
        for (const Var& v : {x, W, b}) v.zero_grad();
      };
      peer.forward();
      const double apart = peer.distance(forward().value());
      agree = agree && apart < 1e-3;
      for (const bool both : {false, true}) {
        std::vector<double> ours, theirs, ratios;
        for (std::size_t round = 0; round < rounds; ++round) {
          ours.push_back(benchmarks::median_seconds(
              [&] {
                if (both) return step();
                const autograd::NoGrad forwards_only;
                forward();
              },
              seconds));
          theirs.push_back(benchmarks::median_seconds(
              [&] {
                peer.forward();
                if (both) peer.backward();
              },
              seconds));
          ratios.push_back(ours.back() / theirs.back());
        }
        const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
        fmt::print("{:<36} {:10.1f} {:10.1f}   {:.2f} ({:.2f} to {:.2f})\n",
                   fmt::format("{}x{} /{}, B {}, {} -> {}, {}", c.grid.height, c.grid.width, c.patch.stride, c.B, c.C,
                               c.N, both ? "training" : "forwards"),
                   1e6 * benchmarks::median(ours), 1e6 * benchmarks::median(theirs), benchmarks::median(ratios), *least,
                   *most);
      }
      if (apart >= 1e-3) fmt::print("  differs from oneDNN's by {:.3g}\n", apart);
    }
    return agree ? 0 : 1;
  });
}
