// The models without attention against a PyTorch composition of the same equations.
#include "tests/models/golden_model.h"

TEST_CASE("encdec equals PyTorch in both forms: loss and the gradient of every parameter") {
  kinds::check_golden(GENERATE("sutskever", "cho"));
}
