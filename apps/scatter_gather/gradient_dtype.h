// GradientDtype is the data type in which the processes of one training send each other their gradients.
#pragma once

#include "autograd/names.h"

namespace softalign::apps {

enum class GradientDtype { float32, bfloat16, int8 };
constexpr auto names_of(GradientDtype) {
  return autograd::names<GradientDtype>(
      {{"float32", GradientDtype::float32}, {"bfloat16", GradientDtype::bfloat16}, {"int8", GradientDtype::int8}});
}

}  // namespace softalign::apps
