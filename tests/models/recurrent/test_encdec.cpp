// Compares the models without attention with a PyTorch composition of their equations.
#include "tests/models/golden_model.h"

// Sutskever et al. 2014, eq. 1, section 2, section 3.3; Cho et al. 2014, eq. 2, appendix A.1.1, appendix A.1.2.
TEST_CASE("encdec equals PyTorch in both forms, in loss and the gradient of every parameter") {
  kinds::check_golden(GENERATE("sutskever", "cho"));
}
