#include "autograd/kernels.h"

namespace softalign::autograd {
namespace {
Kernels chosen = Kernels::fused;
}

void set_kernels(Kernels kernels) { chosen = kernels; }
Kernels kernels() { return chosen; }

}  // namespace softalign::autograd
