#include "autograd/kernels.h"

#include <atomic>

namespace softalign::autograd {
namespace {
Kernels chosen = Kernels::fused;
std::atomic<bool> by_int8 = false;
}  // namespace

void set_kernels(Kernels kernels) { chosen = kernels; }
Kernels kernels() { return chosen; }

void set_int8(bool on) { by_int8 = on; }
bool int8() { return by_int8; }

}  // namespace softalign::autograd
