// Luong's model against a PyTorch composition of the same equations.
#include "tests/models/golden_model.h"

TEST_CASE("luong equals PyTorch: loss, attention and the gradient of every parameter") {
  kinds::check_golden(GENERATE("luong_general", "luong_local"));
}
