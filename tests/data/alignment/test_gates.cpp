// Gates of a record: how much of a look each word took.
#include "data/alignment/record.h"
#include "data/alignment/record_json.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;
using namespace data;
using testing::has;

TEST_CASE("gates are written where a record has them, one a row, from 0 to 1") {
  Record r;
  r.source = {"a", "b", "c"};
  r.target = {"x", "y", "z"};
  r.matrix = Matrix(4, {1, 0, 0, 0});
  complete(r);
  r.gate = {1, .25f, .5f, 0};
  CHECK(from_json(to_json(r), "f:1").gate == r.gate);
  r.gate[2] = 1.5f;
  leave_end_out(r);
  CHECK(has(problem_of(r), "gate holds 1.5, which is no share in 0 .. 1"));
  r.gate[2] = -.5f;
  CHECK(has(problem_of(r), "gate holds -0.5, which is no share in 0 .. 1"));
  r.gate.pop_back();
  CHECK(has(problem_of(r), "gate has"));
}
