#include "models/seq2seq.h"
#include "tests/catch.h"

using namespace models;

TEST_CASE("mean_loss: the sum of the losses by the number of words, which must not be 0") {
  Batch batch;
  batch.target_out = {7, 8, data::end_id, data::pad_id};
  const models::Forced forced{Var(Array({4}, {Real(1), Real(2), Real(6), Real(0)})), {}};
  CHECK(mean_loss(forced, batch).value().item() == Approx(3));
  batch.target_out.clear();
  CHECK_THROWS_AS(mean_loss(forced, batch), std::invalid_argument);
}
