// A process may use the smallest of three amounts: the machine's memory, the limits of its control groups, and its
// address space.
#include "autograd/memory.h"

#include <limits>
#include <new>

#include "tests/catch.h"
#include "tests/temporary.h"

using namespace softalign;

namespace {

using namespace autograd;

// The limit on a simulated system: a folder with the files of /proc and of control groups.
std::size_t limit_of(const std::string& groups, const std::vector<std::pair<std::string, std::string>>& files) {
  const TemporaryFolder root;
  std::filesystem::create_directories(root.path / "proc/self");
  root.file("proc/self/cgroup", groups);
  for (const auto& [name, text] : files) {
    std::filesystem::create_directories((root.path / "sys/fs/cgroup" / name).parent_path());
    root.file("sys/fs/cgroup/" + name, text);
  }
  return control_group_bytes(root.path.string());
}

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

}  // namespace

TEST_CASE("memory limit: it is the smallest of all control groups above the process") {
  CHECK(limit_of("0::/a/b\n", {{"a/b/memory.max", "max\n"}, {"a/memory.max", "3000\n"}, {"memory.max", "9000\n"}}) ==
        3000);
  CHECK(limit_of("0::/\n", {{"memory.max", "700\n"}}) == 700);
  const std::string first = "9:cpu:/c\n4:hugetlb,memory:/a\n0::/\n";
  CHECK(limit_of(first, {{"memory/a/memory.limit_in_bytes", "500\n"}, {"memory/c/memory.limit_in_bytes", "1\n"}}) ==
        500);
  CHECK(limit_of(first, {{"memory/memory.limit_in_bytes", "400\n"}}) == 400);
}

TEST_CASE("memory limit: there is none without a control group or if the group limits nothing") {
  CHECK(limit_of("", {}) == unlimited);
  CHECK(limit_of("0::/a\nnonsense\nhalf:\n", {{"a/memory.max", "max\n"}}) == unlimited);
  CHECK(control_group_bytes("/nowhere") == unlimited);
}

TEST_CASE("memory limit: this process has a limit and a source of it") {
  CHECK(memory_limit().bytes > 1000000);
  CHECK_FALSE(memory_limit().of.empty());
  CHECK(format_bytes(2818560) == "2.8 MB");
  CHECK(format_bytes(3.1e12) == "3.10 TB");
}

TEST_CASE("memory limit: a refused allocation is described with the limit and what to do") {
  const std::string said = describe_refusal(std::bad_alloc());
  CHECK_THAT(said, Catch::StartsWith("not enough memory: this process has ") &&
                       Catch::Contains(format_bytes(static_cast<double>(memory_limit().bytes)) + " that " +
                                       memory_limit().of + " has") &&
                       Catch::EndsWith("; smaller batches or fewer hidden units take less"));
  CHECK_THAT(describe_refusal(NotEnoughMemory("not enough memory: 1 GB")),
             Catch::Equals("not enough memory: 1 GB; smaller batches or fewer hidden units take less"));
}
