// A Found is a result for Python: a text that a model wrote (or scored, if the caller gave it), and its alignment
// record. Python sees it as `softalign.Found`.
#pragma once

#include <string>

#include "data/alignment/record.h"

namespace softalign::python {

struct Found {
  data::Record record;
  std::string text;  // as a person reads it
  double score = 0;  // the score by which beam search compares translations; otherwise log p
};

}  // namespace softalign::python
