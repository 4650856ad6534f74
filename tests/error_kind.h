// The name of the kind of the error that a call throws, so that a failed test prints it.
#pragma once

#include <string>

#include "data/io/error.h"

namespace testing {

// Kind is data::ErrorKind or softalign::ErrorKind of the public header run.h. Their enumerators have the same names.
template <class Kind>
std::string name_of(Kind kind) {
  switch (kind) {
    case Kind::bad_data:
      return "bad data";
    case Kind::wrong_usage:
      return "wrong usage";
    case Kind::missing_file:
      return "missing file";
    case Kind::damaged_file:
      return "damaged file";
    case Kind::unsupported_format:
      return "unsupported format";
    case Kind::io_error:
      return "io error";
    case Kind::out_of_memory:
      return "out of memory";
  }
  return "";
}

template <class Error = softalign::data::Error, class Call>
std::string kind_thrown(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return name_of(error.kind());
  }
  return "no error";
}

}  // namespace testing
