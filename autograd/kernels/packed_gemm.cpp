#include "autograd/kernels/internal/packed_gemm.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "autograd/internal/simd.h"
#include "autograd/kernels/internal/shared_product.h"
#include "autograd/threads/blas.h"
#include "autograd/threads/parallel_for.h"

namespace softalign::autograd {
namespace {

// A tile of c stays in registers during the loop over k. The loop uses tile_rows x tile_lanes accumulators, tile_lanes
// vectors of b and one number of a. These take 28 of the 32 registers of AVX-512, or all 16 registers of AVX2.
constexpr std::size_t tile_rows = sizeof(Lanes) >= 64 ? 8 : 4, tile_lanes = 3;

constexpr std::size_t wide = 8;  // vectors in a tile of one row; with fewer, the sums would wait for each other

constexpr std::size_t longest = 1024;  // numbers in a part of k

constexpr std::size_t worth_threads = std::size_t{1} << 24;  // multiplications
constexpr std::size_t worth_copying_apart = std::size_t{1} << 20;
constexpr std::size_t worth_sharing = std::size_t{1} << 15;  // weights, from which on a product of few rows is shared

// rows_of and columns_of count the rows and columns that a product sees. A transposed view shows the rows of the stored
// matrix as columns.
std::size_t rows_of(const MatrixView& b) { return b.transposed ? b.columns : b.rows; }
std::size_t columns_of(const MatrixView& b) { return b.transposed ? b.rows : b.columns; }

std::size_t vectors_in(std::size_t columns) { return (columns + lane_count - 1) / lane_count; }

// Cut divides n columns into panels of tile_lanes vectors. If one vector would be left over, the last two panels have
// two vectors each. A tile of one vector would wait for its own sums.
struct Cut {
  std::size_t n, vectors = vectors_in(n), count = (vectors + tile_lanes - 1) / tile_lanes;
  std::size_t whole = vectors > 1 && vectors % tile_lanes == 1 ? count - 2 : count;

  std::size_t begin(std::size_t i) const {
    return lane_count * (std::min(i, whole) * tile_lanes + (i > whole ? (i - whole) * 2 : 0));
  }
  std::size_t columns(std::size_t i) const {
    return std::min(n - begin(i), lane_count * (i < whole ? tile_lanes : std::size_t{2}));
  }
};

// Left is a left factor. Its columns consist of pieces. Element (i, p) of piece q is at
// pieces[q][first + i * row + p * column].
struct Left {
  const Real* const* pieces;
  std::size_t count, width, row, column, first = 0;
};

// left_factor describes a matrix that consists of one piece.
Left left_factor(const MatrixView& a) {
  return {&a.data, 1, a.transposed ? a.rows : a.columns, a.transposed ? 1 : a.stride, a.transposed ? a.stride : 1};
}

// Right has rows of b that are one or more vectors wide.
struct Right {
  const Real* data;
  std::size_t stride;
};

// Lie is the layout of b. In a panel, the vectors are stored one after the other. In b itself, either all vectors are
// complete (whole), or the last one is not (cut).
enum class Lie { panel, whole, cut };

// tile computes c[rows, lanes] (+)= a[rows, k] b[k, lanes]. c has only `last` columns of the last vector.
template <std::size_t rows, std::size_t lanes, Lie lie>
void tile(Left a, Right b, Real* __restrict c, std::size_t c_stride, std::size_t last, Into into) {
  Lanes sums[rows][lanes];
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t v = 0; v < lanes; ++v) sums[r][v] = Lanes(Real(0));
  const Real* __restrict from = b.data;
  const std::size_t end = lie == Lie::cut ? last : lane_count;
  const std::size_t stride = lie == Lie::panel ? lanes * lane_count : b.stride;
  const auto place = [&](std::size_t r, std::size_t v) { return c + r * c_stride + v * lane_count; };
  if constexpr (lie == Lie::panel)  // c may not be in a cache, and arrives during the loop
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t v = 0; v < lanes; ++v) __builtin_prefetch(place(r, v), 1);
  const Real* __restrict a_p = nullptr;
  std::size_t q = 0, left = 0;  // left: rest of this piece; one loop over all pieces keeps the sums in registers
  for (std::size_t p = a.count * a.width; p > 0; --p, --left, a_p += a.column, from += stride) {
    if (left == 0) a_p = a.pieces[q++] + a.first, left = a.width;
    Lanes b_p[lanes];
    for (std::size_t v = 0; v + 1 < lanes; ++v) b_p[v] = Lanes::load_unaligned(from + v * lane_count);
    b_p[lanes - 1] = load(from + (lanes - 1) * lane_count, end);
    if constexpr (rows > 1)
      for (Lanes& v : b_p) keep_in_register(v);
    for (std::size_t r = 0; r < rows; ++r) {
      const Lanes a_rp(a_p[r * a.row]);
      for (std::size_t v = 0; v < lanes; ++v) sums[r][v] = xsimd::fma(a_rp, b_p[v], sums[r][v]);
    }
  }
  const auto width = [&](std::size_t v) { return v + 1 < lanes ? lane_count : last; };
  // All vectors are read before the first one is written. The last vector of a row overlaps the addresses of the next
  // row. A later read of the next row would wait for the write.
  if (into == Into::add)
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t v = 0; v < lanes; ++v) sums[r][v] = load(place(r, v), width(v)) + sums[r][v];
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t v = 0; v < lanes; ++v) store(place(r, v), sums[r][v], width(v));
}

// tile_of calls tile with a number of rows that is known only at run time. This number is at most `most`.
template <std::size_t lanes, Lie lie, std::size_t most>
void tile_of(std::size_t rows, Left a, Right b, Real* c, std::size_t c_stride, std::size_t last, Into into) {
  if (rows == most) {
    tile<most, lanes, lie>(a, b, c, c_stride, last, into);
  } else if constexpr (most > 1) {
    tile_of<lanes, lie, most - 1>(rows, a, b, c, c_stride, last, into);
  }
}

// below computes the m rows of c for some columns of b. Its tiles have heights as equal as possible, because the few
// sums of a low tile would wait for each other.
template <std::size_t lanes, Lie lie, std::size_t most = tile_rows>
void below(std::size_t m, Left a, Right b, Real* c, std::size_t c_stride, std::size_t last, Into into) {
  for (std::size_t tiles = (m + most - 1) / most; tiles > 0; --tiles) {
    const std::size_t rows = (m + tiles - 1) / tiles;
    tile_of<lanes, lie, most>(rows, a, b, c, c_stride, last, into);
    m -= rows, a.first += rows * a.row, c += rows * c_stride;
  }
}

// pack_panel copies rows `from` to `to` - 1 of panel i of b (k, n). It fills each row with zeros up to complete
// vectors. If b is transposed, `from` must be a multiple of lane_count.
void pack_panel(const MatrixView b, const std::size_t k, const Cut cut, const std::size_t i, const std::size_t from,
                const std::size_t to, Real* const panels) {
  const std::size_t begin = cut.begin(i), columns = cut.columns(i), stride = vectors_in(columns) * lane_count;
  Real* const panel = panels + begin * k;
  if (!b.transposed) {
    for (std::size_t p = from; p < to; ++p)
      for_lanes(columns, [&](std::size_t j, std::size_t width) {
        load(b.data + p * b.stride + begin + j, width).store_unaligned(panel + p * stride + j);
      });
    return;
  }
  for (std::size_t p = from; p < to; p += lane_count) {
    const std::size_t deep = std::min(lane_count, to - p);
    for_lanes(columns, [&](std::size_t j, std::size_t width) {
      Lanes square[lane_count];
      for (std::size_t r = 0; r < lane_count; ++r)
        square[r] = r < width ? load(b.data + (begin + j + r) * b.stride + p, deep) : Lanes(Real(0));
      transpose(square);
      for (std::size_t q = 0; q < deep; ++q) square[q].store_unaligned(panel + (p + q) * stride + j);
    });
  }
}

}  // namespace

Array room_for_panels(const MatrixView& b) { return Array({rows_of(b), Cut{columns_of(b)}.vectors * lane_count}); }

bool better_unpacked(const MatrixView& b, std::size_t rows) {
  constexpr std::size_t largest = std::size_t{1} << 20;
  return !b.transposed && rows <= few_rows && b.rows * b.columns <= largest;
}

// A matrix may have fewer panels than there are threads, so each panel is packed in parts. A thread packs the same rows
// of panels that are next to each other, because these rows share pages of memory.
Array pack_panels(const MatrixView& b) {
  constexpr std::size_t long_part = 128;  // rows of a part
  static_assert(long_part % lane_count == 0);
  const std::size_t k = rows_of(b), n = columns_of(b), parts = (k + long_part - 1) / long_part;
  const Cut cut{n};
  Array panels = room_for_panels(b);
  parallel_for(0, parts * cut.count, n * k >= worth_copying_apart, [&](std::size_t i) {
    const std::size_t from = i / cut.count * long_part;
    pack_panel(b, k, cut, i % cut.count, from, std::min(k, from + long_part), panels.data());
  });
  return panels;
}

void pack_together(std::vector<Packing> packings) {
  struct Part {
    Packing* of;
    std::size_t panel;
  };
  std::vector<Part> parts;
  std::size_t numbers = 0;
  for (Packing& packing : packings) {
    numbers += packing.from.rows * packing.from.columns;
    for (std::size_t i = 0; i < Cut{columns_of(packing.from)}.count; ++i) parts.push_back({&packing, i});
  }
  // A panel of a transposed matrix takes longer, and such panels are next to each other. The threads therefore take the
  // panels in turn.
  const std::size_t threads = shares(numbers >= parallel_from) ? static_cast<std::size_t>(omp_get_max_threads()) : 1;
  parallel_for(0, threads, threads > 1, [&](std::size_t thread) {
    for (std::size_t i = thread; i < parts.size(); i += threads) {
      const MatrixView& b = parts[i].of->from;
      pack_panel(b, rows_of(b), Cut{columns_of(b)}, parts[i].panel, 0, rows_of(b), parts[i].of->to.data());
    }
  });
}

// multiply_few_rows visits the columns of b in order. Each tile is as wide as the remaining columns allow.
void multiply_few_rows(const MatrixView& a, const MatrixView& b, Real* c, std::size_t c_stride, Into into) {
  const ProductSizes z = product_sizes(a, b);
  const Left left = left_factor(a);
  const auto columns = [&]<std::size_t lanes, Lie lie>(std::size_t begin, std::size_t last) {
    below<lanes, lie, lanes == wide ? 1 : tile_rows>(z.m, left, {b.data + begin, b.stride}, c + begin, c_stride, last,
                                                     into);
  };
  const std::size_t together = lane_count * (z.m == 1 ? wide : 2 * tile_lanes);  // columns of a part: complete tiles
  const std::size_t parts = (z.n + together - 1) / together;
  SharedProduct shared(parts > 1 && z.n * z.k >= worth_sharing);
  parallel_for(0, parts, shared.pays(), [&](std::size_t part) {
    std::size_t j = part * together;
    const std::size_t end = std::min(z.n, j + together);
    if (z.m == 1)
      for (; j + wide * lane_count <= end; j += wide * lane_count) columns.operator()<wide, Lie::whole>(j, lane_count);
    for (; j + tile_lanes * lane_count <= end; j += tile_lanes * lane_count)
      columns.operator()<tile_lanes, Lie::whole>(j, lane_count);
    for (; j + 2 * lane_count <= end; j += 2 * lane_count) columns.operator()<2, Lie::whole>(j, lane_count);
    for (; j < end; j += lane_count) columns.operator()<1, Lie::cut>(j, std::min(end - j, lane_count));
  });
}

namespace {

// Packed is a packed b (k, n).
struct Packed {
  const Real* panels;
  std::size_t k;
  Cut cut;
};

// below_panel computes c (m, columns of panel i) (+)= a times the rows of panel i from row `from` on.
void below_panel(std::size_t i, const Packed& b, std::size_t from, std::size_t m, const Left& a, Real* c,
                 std::size_t c_stride, Into into) {
  const std::size_t begin = b.cut.begin(i), columns = b.cut.columns(i), last = (columns - 1) % lane_count + 1;
  const std::size_t stride = vectors_in(columns) * lane_count;
  const Right panel{b.panels + begin * b.k + from * stride, stride};
  switch (vectors_in(columns)) {
    case 1:
      return below<1, Lie::panel>(m, a, panel, c + begin, c_stride, last, into);
    case 2:
      return below<2, Lie::panel>(m, a, panel, c + begin, c_stride, last, into);
    default:
      return below<tile_lanes, Lie::panel>(m, a, panel, c + begin, c_stride, last, into);
  }
}

// begin_of_part divides n things into equal parts and returns the number of the first thing of part i. With 32 bits, n
// may be near 2^32, so no product here exceeds n.
std::size_t begin_of_part(std::size_t i, std::size_t parts, std::size_t n) {
  return i * (n / parts) + std::min(i, n % parts);
}

// multiply_part computes c (m, n) (+)= a times the rows of b from row `from` on, as many as a has columns. The panels
// have k rows.
void multiply_part(std::size_t m, const Left& a, std::size_t from, std::size_t k, const Real* panels, std::size_t n,
                   Real* c, std::size_t c_stride, Into into) {
  const Packed b{panels, k, Cut{n}};
  if (!shares(m * n * a.count * a.width >= worth_threads)) {
    for (std::size_t i = 0; i < b.cut.count; ++i) below_panel(i, b, from, m, a, c, c_stride, into);
    return;
  }
  // There may be fewer panels than threads. Therefore the threads share the tiles of all panels, panel by panel.
  const auto team = static_cast<std::size_t>(omp_get_max_threads());
  const std::size_t tiles = (m + tile_rows - 1) / tile_rows;  // per panel
  parallel_for(0, team, true, [&](std::size_t thread) {
    const std::size_t end = begin_of_part(thread + 1, team, tiles * b.cut.count);
    for (std::size_t tile = begin_of_part(thread, team, tiles * b.cut.count); tile < end;) {
      const std::size_t first = tile % tiles, last = std::min(tiles, first + end - tile), row = first * tile_rows;
      Left rows = a;
      rows.first += row * a.row;
      below_panel(tile / tiles, b, from, std::min(m, last * tile_rows) - row, rows, c + row * c_stride, c_stride, into);
      tile += last - first;
    }
  });
}

}  // namespace

// A long k is divided into parts, so that the numbers of a that every panel needs stay in the cache.
void multiply_panels(const MatrixView& a, const Array& panels, std::size_t n, Real* c, std::size_t c_stride,
                     Into into) {
  const std::size_t m = a.transposed ? a.columns : a.rows, k = a.transposed ? a.rows : a.columns;
  Left left = left_factor(a);
  for (std::size_t p = 0; p < k; p += longest, left.first += longest * left.column) {
    left.width = std::min(longest, k - p);
    multiply_part(m, left, p, k, panels.data(), n, c, c_stride, p == 0 ? into : Into::add);
  }
}

void multiply_panels(const Pieces& a, const Array& panels, std::size_t n, Real* c, std::size_t c_stride, Into into) {
  multiply_part(a.rows, {a.data, a.count, a.width, a.width, 1}, 0, a.count * a.width, panels.data(), n, c, c_stride,
                into);
}

namespace {

// block returns rows i to i_end - 1 and columns j to j_end - 1 of a, which may be a transposed view.
MatrixView block(const MatrixView& a, std::size_t i, std::size_t i_end, std::size_t j, std::size_t j_end) {
  if (a.transposed) std::swap(i, j), std::swap(i_end, j_end);
  return {a.data + i * a.stride + j, i_end - i, j_end - j, a.stride, a.transposed};
}

}  // namespace

void multiply_in_parts(const MatrixView& a, const MatrixView& b, Real* c, std::size_t c_stride, Into into) {
  constexpr std::size_t deep = 512, panel = tile_lanes * lane_count, numbers = std::size_t{1} << 15;  // of a part
  const ProductSizes z = product_sizes(a, b);
  const std::size_t width = numbers / (deep * panel) * panel * static_cast<std::size_t>(threads());
  static_assert(numbers >= deep * panel, "a part has a panel for each thread");
  for (std::size_t p = 0; p < z.k; p += deep) {
    const std::size_t p_end = std::min(z.k, p + deep);
    const MatrixView left = block(a, 0, z.m, p, p_end);
    for (std::size_t j = 0; j < z.n; j += width) {
      const std::size_t j_end = std::min(z.n, j + width);
      multiply_panels(left, pack_panels(block(b, p, p_end, j, j_end)), j_end - j, c + j, c_stride,
                      p == 0 ? into : Into::add);
    }
  }
}

// The threads share the tiles of c equally. A block of a, which has several tiles below each other, stays in the L2
// cache of a core while its thread multiplies it by panels. Each number of c is summed in the same order for every
// number of threads.
void multiply_large(const MatrixView& a, const MatrixView& b, Real* c, std::size_t c_stride, Into into) {
  constexpr std::size_t high = 192, deep = 512;  // rows and columns of a block, at most
  const ProductSizes z = product_sizes(a, b);
  const Array panels = pack_panels(b);
  const Packed packed{panels.data(), z.k, Cut{z.n}};
  const std::size_t count = packed.cut.count, tiles = (z.m + tile_rows - 1) / tile_rows,
                    blocks = (tiles + high / tile_rows - 1) / (high / tile_rows);
  const auto team = static_cast<std::size_t>(omp_get_max_threads());
  parallel_for(0, team, true, [&](std::size_t thread) {
    thread_local std::vector<Real> copy;
    // The tiles are numbered block by block, within a block panel by panel, and within a panel from top to bottom.
    const std::size_t begin = begin_of_part(thread, team, tiles * count),
                      end = begin_of_part(thread + 1, team, tiles * count);
    for (std::size_t p = 0; p < z.k; p += deep) {
      const std::size_t width = std::min(deep, z.k - p);
      for (std::size_t i = 0; i < blocks; ++i) {
        const std::size_t top = begin_of_part(i, blocks, tiles), height = begin_of_part(i + 1, blocks, tiles) - top;
        const std::size_t block_end = std::min(end, (top + height) * count);
        std::size_t tile = std::max(begin, top * count);
        if (tile >= block_end) continue;
        const std::size_t first = top * tile_rows, rows = std::min(z.m - first, height * tile_rows);
        MatrixView left = block(a, first, first + rows, p, p + width);
        if (a.transposed) {  // the numbers of one row are too far apart in memory
          copy.resize(high * deep);
          for (std::size_t q = 0; q < width; ++q) std::copy_n(left.data + q * a.stride, rows, copy.data() + q * high);
          left.data = copy.data(), left.stride = high;
        }
        while (tile < block_end) {  // the rest of a panel's tiles
          const std::size_t panel = (tile - top * count) / height, from = (tile - top * count) % height;
          const std::size_t to = std::min(height, from + block_end - tile), row = from * tile_rows;
          Left part = left_factor(left);
          part.first = row * part.row;
          below_panel(panel, packed, p, std::min(rows, to * tile_rows) - row, part, c + (first + row) * c_stride,
                      c_stride, p == 0 ? into : Into::add);
          tile += to - from;
        }
      }
    }
  });
}

namespace {

constexpr std::size_t together = 8;                      // rows of b that are read at once
constexpr std::size_t longest_piece = 512 * lane_count;  // of c, which then stays in the L1 cache

// add_rows computes c += sum_p a_p b_p over `rows` rows of b, for n columns.
template <std::size_t rows>
void add_rows(const Real* a, std::size_t a_stride, const Real* b, std::size_t b_stride, std::size_t n, Real* c) {
  Lanes a_p[rows];
  for (std::size_t r = 0; r < rows; ++r) a_p[r] = Lanes(a[r * a_stride]);
  for_lanes(n, [&](std::size_t j, std::size_t width) {
    Lanes sum = load(c + j, width);
    for (std::size_t r = 0; r < rows; ++r) sum = xsimd::fma(a_p[r], load(b + r * b_stride + j, width), sum);
    store(c + j, sum, width);
  });
}

}  // namespace

void multiply_one_row(const MatrixView& a, const MatrixView& b, Real* c, Into into) {
  const ProductSizes z = product_sizes(a, b);
  const std::size_t a_stride = a.transposed ? a.stride : 1;
  const auto team = static_cast<std::size_t>(threads());
  const std::size_t pieces = team * ((z.n + team * longest_piece - 1) / (team * longest_piece));
  const auto begin = [&](std::size_t piece) {
    return std::min(z.n, begin_of_part(piece, pieces, vectors_in(z.n)) * lane_count);
  };
  parallel_for(0, pieces, team > 1, [&](std::size_t piece) {
    const std::size_t first = begin(piece), n = begin(piece + 1) - first;
    if (into == Into::overwrite) std::fill_n(c + first, n, Real(0));
    std::size_t p = 0;
    for (; p + together <= z.k; p += together)
      add_rows<together>(a.data + p * a_stride, a_stride, b.data + p * b.stride + first, b.stride, n, c + first);
    for (; p < z.k; ++p)
      add_rows<1>(a.data + p * a_stride, a_stride, b.data + p * b.stride + first, b.stride, n, c + first);
  });
}

}  // namespace softalign::autograd
