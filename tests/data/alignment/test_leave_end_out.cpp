// Records of what is answered with one word, which has no end of its own.
#include "data/alignment/record.h"
#include "data/alignment/record_json.h"
#include "tests/catch.h"

using namespace softalign;
using namespace data;

TEST_CASE("a record whose end is left out has no row for it, in its own matrix and in heads over the source") {
  const Matrix rows{{.5f, .5f, 0}, {0, .25f, .75f}, {0, 0, 1}};
  Record r;
  r.source = {"a", "b"};
  r.target = {"c", "d"};
  r.matrix = rows;
  complete(r);
  Record bare = r;
  r.scores = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
  r.logprob = {-1, -2, -3};
  r.heads = {{0, 0, "cross", rows, r.scores}, {0, 0, "encoder-self", rows, {}}};
  leave_end_out(r);
  CHECK_FALSE(r.target_eos);
  CHECK((r.matrix.size() == 2 && r.scores.size() == 2 && r.entropy.size() == 2 && r.logprob.size() == 2));
  CHECK((r.heads[0].matrix.size() == 2 && r.heads[0].scores.size() == 2 && r.heads[1].matrix.size() == 3));
  CHECK(problem_of(r) == "");
  const std::string line = to_json(r);
  leave_end_out(r);
  CHECK(to_json(r) == line);
  leave_end_out(bare);
  CHECK((bare.matrix.size() == 2 && bare.scores.empty() && bare.logprob.empty()));
}
