// Simulates a failing disk, or a kill, for a test. The library is loaded before the C library (LD_PRELOAD). It counts
// the calls that change files, from 1, and makes one of them fail.
//   FAULT_AT=N       the call that fails; without it no call fails
//   FAULT_PROGRAM=P  only programs of this name are affected, even as children of other programs
//   FAULT=kill       the program ends there (SIGKILL): before the call, or in a write after half of its bytes
//   FAULT=28         the call fails with this errno
//   FAULT_STAYS=1    every later call fails, too
//   FAULT_COUNT=F    the number of calls is written to this file in the end
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

std::atomic<long> calls{0};

long number_in(const char* name) {
  const char* value = std::getenv(name);
  return value ? std::atol(value) : 0;
}

bool goes_wrong() {
  static const long at = number_in("FAULT_AT");
  static const bool stays = number_in("FAULT_STAYS") != 0;
  static const char* const program = std::getenv("FAULT_PROGRAM");
  if (program && std::strcmp(program, program_invocation_short_name) != 0) return false;
  const long number = ++calls;
  return at > 0 && (number == at || (stays && number > at));
}

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool is_kill() {
  const char* fault = std::getenv("FAULT");
  return fault && std::strcmp(fault, "kill") == 0;
}

void strike() {
  if (is_kill()) ::kill(::getpid(), SIGKILL);
  errno = static_cast<int>(number_in("FAULT"));
}

template <class Result, class... Arguments>
Result call(const char* name, Result failure, Arguments... arguments) {
  if (!goes_wrong()) return real<Result(Arguments...)>(name)(arguments...);
  strike();
  return failure;
}

// A full disk still allows files to be removed.
template <class... Arguments>
int removal(const char* name, Arguments... arguments) {
  if (!goes_wrong() || (!is_kill() && number_in("FAULT") == ENOSPC)) return real<int(Arguments...)>(name)(arguments...);
  strike();
  return -1;
}

int opened(const char* name, const char* path, int flags, mode_t mode) {
  if ((flags & (O_WRONLY | O_RDWR | O_CREAT)) == 0) return real<int(const char*, int, ...)>(name)(path, flags, mode);
  if (!goes_wrong()) return real<int(const char*, int, ...)>(name)(path, flags, mode);
  strike();
  return -1;
}

FILE* opened(const char* name, const char* path, const char* mode) {
  if (std::strpbrk(mode, "wa+") == nullptr) return real<FILE*(const char*, const char*)>(name)(path, mode);
  return call<FILE*>(name, nullptr, path, mode);
}

mode_t mode_of(int flags, va_list arguments) { return (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0; }

__attribute__((destructor)) void report() {
  const char* path = std::getenv("FAULT_COUNT");
  if (!path || (std::getenv("FAULT_PROGRAM") && calls.load() == 0)) return;
  char text[32];
  const int length = std::snprintf(text, sizeof text, "%ld\n", calls.load());
  const int file = real<int(const char*, int, ...)>("open")(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0) return;
  if (::syscall(SYS_write, file, text, length) != length) std::abort();
  ::close(file);
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return opened("open", path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return opened("open64", path, flags, mode);
}
FILE* fopen(const char* path, const char* mode) { return opened("fopen", path, mode); }
FILE* fopen64(const char* path, const char* mode) { return opened("fopen64", path, mode); }

ssize_t write(int file, const void* bytes, size_t size) {
  if (file <= STDERR_FILENO) return real<ssize_t(int, const void*, size_t)>("write")(file, bytes, size);
  if (!goes_wrong()) return real<ssize_t(int, const void*, size_t)>("write")(file, bytes, size);
  if (is_kill()) real<ssize_t(int, const void*, size_t)>("write")(file, bytes, size / 2);
  strike();
  return -1;
}

int fsync(int file) { return call<int>("fsync", -1, file); }
int syncfs(int file) noexcept { return call<int>("syncfs", -1, file); }
int ftruncate(int file, off_t length) noexcept { return call<int>("ftruncate", -1, file, length); }
int ftruncate64(int file, off64_t length) noexcept { return call<int>("ftruncate64", -1, file, length); }
int rename(const char* from, const char* to) noexcept { return call<int>("rename", -1, from, to); }
int remove(const char* path) noexcept { return removal("remove", path); }
int unlink(const char* path) noexcept { return removal("unlink", path); }
int unlinkat(int folder, const char* path, int flags) noexcept { return removal("unlinkat", folder, path, flags); }
int rmdir(const char* path) noexcept { return removal("rmdir", path); }
int mkdir(const char* path, mode_t mode) noexcept { return call<int>("mkdir", -1, path, mode); }
}
