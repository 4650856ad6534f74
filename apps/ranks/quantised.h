// This file compresses gradients to 8 bits per number, for the network between the processes of a training.
//
// A block of numbers has one scale s, its largest magnitude divided by 127. Each number x of the block is sent as the
// integer q that is nearest to x / s, and is received as s q. The sender keeps the lost part x - s q, and adds it to
// the next gradient. This is error feedback: over many steps, the received gradients sum to the true ones (Seide et al.
// 2014, 1-bit stochastic gradient descent; Karimireddy et al. 2019, Error feedback fixes SignSGD).
#pragma once

#include <cstddef>
#include <span>

#include "autograd/array.h"

namespace softalign::apps {

inline constexpr std::size_t quantised_block = 256;  // numbers that share a scale

// Returns the number of bytes of compressed values. Each value takes one byte, and each block adds one float.
constexpr std::size_t quantised_bytes(std::size_t numbers) {
  return numbers + (numbers + quantised_block - 1) / quantised_block * sizeof(float);
}

// Writes the numbers x as quantised_bytes(x.size()) bytes. Then it replaces each number by the part of it that was
// lost, which is at most half of its block's scale. A block with a number that is not finite becomes NaN.
void quantise(std::span<autograd::Real> x, std::byte* to);

// Reads compressed numbers: x_i <- s q_i.
void dequantise(const std::byte* from, std::span<autograd::Real> x);

// Adds compressed numbers: x_i <- x_i + s q_i.
void add_dequantised(const std::byte* from, std::span<autograd::Real> x);

}  // namespace softalign::apps
