// Compares Luong's model with a PyTorch composition of its equations.
#include "tests/models/golden_model.h"

// Luong et al. 2015, eq. 5, eq. 6, section 3.3.
TEST_CASE("luong equals PyTorch in loss, attention and the gradient of every parameter") {
  kinds::check_golden(GENERATE("luong_general", "luong_local"));
}

// Cheng et al. 2016, section 3.2.
TEST_CASE("luong with a bidirectional LSTMN encoder equals PyTorch, beginning with its last states") {
  kinds::check_golden("luong_lstmn");
}
