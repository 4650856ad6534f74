// The module `_softalign`, which the Python package `softalign` contains.
#include "apps/python/bindings.h"

#include "autograd/threads/blas.h"

PYBIND11_MODULE(_softalign, m) {
  using namespace softalign::python;
  softalign::autograd::choose_blas_kernel();
  m.attr("version") = SOFTALIGN_VERSION;
  m.def("describe_blas", &softalign::autograd::describe_blas);
  add_errors(m);
  add_records(m);
  add_run(m);
  add_alignments(m);
  add_training(m);
  add_autograd(m);
}
