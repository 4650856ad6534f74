// The kind of the error that a call ends with, by name, so that a failed test shows it.
#pragma once

#include <string>

#include "data/io/error.h"

namespace testing {

inline std::string name_of(softalign::data::ErrorKind kind) {
  switch (kind) {
    case softalign::data::ErrorKind::bad_data:
      return "bad data";
    case softalign::data::ErrorKind::wrong_usage:
      return "wrong usage";
    case softalign::data::ErrorKind::missing_file:
      return "missing file";
    case softalign::data::ErrorKind::damaged_file:
      return "damaged file";
    case softalign::data::ErrorKind::unsupported_format:
      return "unsupported format";
    case softalign::data::ErrorKind::io_error:
      return "io error";
    case softalign::data::ErrorKind::out_of_memory:
      return "out of memory";
  }
  return "";
}

template <class Call>
std::string kind_thrown(const Call& call) {
  try {
    call();
  } catch (const softalign::data::Error& error) {
    return name_of(error.kind());
  }
  return "no error";
}

}  // namespace testing
