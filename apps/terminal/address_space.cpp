#include "apps/terminal/address_space.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "autograd/threads/blas.h"
#include "autograd/threads/openmp.h"

namespace softalign::apps {

// Sanitizers must start before everything else, and they need unlimited addresses anyway. Without OpenBLAS, there are
// no buffers to check.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(SOFTALIGN_WITHOUT_BLAS)

namespace {

// OpenBLAS allocates as many buffers as OMP_NUM_THREADS says. Another variable passes on the user's value of
// OMP_NUM_THREADS.
constexpr const char setting[] = "OMP_NUM_THREADS=", before[] = "SOFTALIGN_OMP_NUM_THREADS=";
constexpr std::size_t program_bytes = std::size_t{32} << 20;  // heap and stacks at the start, without libraries
constexpr std::size_t least_stack = std::size_t{100} << 10;   // with less, programs overflow the stack

// No library has started yet, not even the streams and the heap of the C library. Therefore these functions make system
// calls and use only their own memory.
struct Text {
  char bytes[512] = {};
  std::size_t length = 0;

  void add(const char* text) {
    for (; *text && length < sizeof bytes; ++text) bytes[length++] = *text;
  }
  void add_megabytes(std::size_t number) {
    char digits[32];
    std::size_t count = 0;
    for (std::size_t left = (number + 500000) / 1000000; count == 0 || left > 0; left /= 10)
      digits[count++] = static_cast<char>('0' + left % 10);
    while (count > 0 && length < sizeof bytes) bytes[length++] = digits[--count];
    add(" MB");
  }
};

std::size_t limit_of(__rlimit_resource_t resource) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 0;
  return static_cast<std::size_t>(limit.rlim_cur);
}

// Returns the size of the addresses that the program and its libraries take.
std::size_t taken() {
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[64];
  const ssize_t got = read(file, text, sizeof text);
  close(file);
  std::size_t pages = 0;
  for (ssize_t i = 0; i < got && text[i] >= '0' && text[i] <= '9'; ++i)
    pages = 10 * pages + static_cast<std::size_t>(text[i] - '0');
  return pages * static_cast<std::size_t>(getpagesize());
}

bool begins(const char* entry, const char* with) { return std::strncmp(entry, with, std::strlen(with)) == 0; }

// Replaces this process, which has one buffer per core, by a process that starts with a single buffer. Returns only if
// this fails.
void start_again(char** argv, char** environment) {
  constexpr std::size_t most = 4096;
  static char path[most];
  static char* changed[most];
  static char one[sizeof setting + 1], its[sizeof before + 64];
  const ssize_t length = readlink("/proc/self/exe", path, most - 1);
  if (length <= 0) return;
  path[length] = '\0';
  std::strcpy(one, setting);
  std::strcat(one, "1");
  std::strcpy(its, before);
  std::size_t count = 0;
  for (char** entry = environment; *entry; ++entry) {
    if (count + 3 >= most) return;
    if (!begins(*entry, setting)) changed[count++] = *entry;
    else if (std::strcmp(its, before) == 0)
      std::strncat(its, *entry + sizeof setting - 1, 63);  // the first entry counts
  }
  changed[count++] = one;
  changed[count] = its;
  execve(path, argv, changed);
}

bool was_started_again(char** environment) {
  for (char** entry = environment; *entry; ++entry)
    if (begins(*entry, before)) return true;
  return false;
}

[[noreturn]] void end_with(const Text& text) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.bytes, text.length);
  _exit(1);
}

void begin(int, char** argv, char** environment) {
  if (const std::size_t stack = limit_of(RLIMIT_STACK); stack > 0 && stack < least_stack) {
    Text text;
    text.add(
        "error: not enough memory: ulimit -s leaves less than 100 kB for the stack. Raise the limit: ulimit -s 8192\n");
    end_with(text);
  }
  const std::size_t addresses = limit_of(RLIMIT_AS), data = limit_of(RLIMIT_DATA);
  if (addresses == 0 && data == 0) return;
  const std::size_t buffer = autograd::blas_buffer_bytes;
  void* const place = mmap(nullptr, buffer + program_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (place != MAP_FAILED) {
    munmap(place, buffer + program_bytes);
    if (!was_started_again(environment)) start_again(argv, environment);
    return;
  }
  const bool by_addresses = addresses > 0 && (data == 0 || addresses <= data);
  Text text;
  text.add("error: not enough memory: ulimit ");
  text.add(by_addresses ? "-v leaves " : "-d leaves ");
  text.add_megabytes(by_addresses ? addresses : data);
  text.add(" of addresses, and the program needs about ");
  text.add_megabytes((by_addresses ? taken() : 0) + buffer + program_bytes);
  text.add(" before it begins (its libraries, and a buffer of ");
  text.add_megabytes(buffer);
  text.add(" for OpenBLAS). Raise the limit\n");
  end_with(text);
}

}  // namespace

// The dynamic loader calls the functions in this section before any library starts.
__attribute__((section(".preinit_array"), used)) void (*const first_of_all)(int, char**, char**) = begin;

#endif

void check_address_space_first() {
  const char* const its = std::getenv("SOFTALIGN_OMP_NUM_THREADS");
  if (!its) return;
  const int asked = std::atoi(its);
  omp_set_num_threads(asked > 0 ? asked : omp_get_num_procs());
  if (*its) setenv("OMP_NUM_THREADS", its, 1);
  else unsetenv("OMP_NUM_THREADS");
  unsetenv("SOFTALIGN_OMP_NUM_THREADS");
}

}  // namespace softalign::apps
