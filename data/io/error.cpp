#include "data/io/error.h"

#include <cerrno>
#include <new>
#include <system_error>

namespace softalign::data {

ErrorKind kind_of_errno(int error) {
  if (error == ENOENT || error == ENOTDIR) return ErrorKind::missing_file;
  if (error == ENOMEM) return ErrorKind::out_of_memory;
  return ErrorKind::io_error;
}

ErrorKind kind_of(const std::exception& error, ErrorKind other) {
  if (const auto* ours = dynamic_cast<const Error*>(&error)) return ours->kind();
  if (const auto* system = dynamic_cast<const std::system_error*>(&error)) return kind_of_errno(system->code().value());
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return ErrorKind::out_of_memory;
  return other;
}

}  // namespace softalign::data
