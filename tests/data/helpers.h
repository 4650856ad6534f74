// The tests of data/ share these: the message of an expected error, and the output of another program.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <typeinfo>

#include "data/io/error.h"
#include "tests/temporary.h"

namespace testing {

// The message of the Error that `call` throws; "" if it throws nothing. Other errors are passed on. An error with a
// kind is a std::runtime_error too.
template <class Error, class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    const bool expected = typeid(error) == typeid(Error) || typeid(error) == typeid(softalign::data::Error);
    return expected ? error.what() : std::string("another kind of error: ") + error.what();
  }
  return "";
}
template <class Call>
std::string user_error(Call call) {
  return message_of<std::runtime_error>(call);
}
template <class Call>
std::string misuse(Call call) {
  return message_of<std::invalid_argument>(call);
}

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The standard output of a command, which must succeed.
inline std::string output_of(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) throw std::runtime_error("cannot run " + command);
  std::string output;
  char block[4096];
  while (const size_t got = std::fread(block, 1, sizeof block, pipe)) output.append(block, got);
  if (pclose(pipe) != 0) throw std::runtime_error("failed: " + command);
  return output;
}

}  // namespace testing
