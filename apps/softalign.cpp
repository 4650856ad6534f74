// The program `softalign` starts every other program, for example with `softalign train`.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>

#include "apps/cli/manual.h"
#include "apps/cli/verbs.h"
#include "apps/terminal/address_space.h"
#include "apps/terminal/output.h"
#include "apps/terminal/terminal.h"

using namespace softalign;

namespace {

using Words = std::vector<std::string>;

int fail(int status, const std::string& problem) {
  apps::report("error: {}\n", problem);
  return status;
}

// Replaces this process by the program, which calls itself "softalign VERB". Returns only if the program cannot be
// started.
int become(const std::string& called, const std::string& verb, const Words& arguments) {
  const std::string program = apps::sibling(verb).string();
  Words words{called + " " + verb};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(program.c_str(), pointers.data());
  return fail(1, fmt::format("{} cannot be started: {}", program, std::strerror(errno)));
}

int printed() {
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? 0 : fail(1, "standard output could not be written");
}

int help(const std::string& called) {
  apps::Manual manual = apps::verbs_manual();
  manual.called = called;
  apps::print("{}", help_text(manual, true, std::min<std::size_t>(apps::terminal_columns(STDOUT_FILENO, 80), 110)));
  return printed();
}

int generate(const std::string& form) {
  const Words& forms = apps::generated_forms();
  if (std::find(forms.begin(), forms.end(), form) == forms.end())
    return fail(2, "--generate needs one of the names man, bash, zsh and fish");
  apps::print("{}", apps::generate_for_verbs(form));
  return printed();
}

}  // namespace

int main(int argc, char** argv) try {
  apps::check_address_space_first();
  const std::string called = argc > 0 ? argv[0] : "softalign";
  Words words(argv + std::min(argc, 1), argv + argc);
  if (words.size() > 1 && words[0] == "help") words = {words[1], "--help"};
  if (words.empty() || words[0] == "help" || words[0] == "--help" || words[0] == "--help-all" || words[0] == "-h")
    return help(called);
  if (words[0] == "--version") return apps::print("softalign {}\n", SOFTALIGN_VERSION), printed();
  if (words[0] == "--generate") return generate(words.size() > 1 ? words[1] : "");
  const std::string problem = apps::problem_of_verb(words[0]);
  if (!problem.empty()) return fail(2, fmt::format("{}\n{} --help lists all commands.", problem, called));
  return become(called, words[0], {words.begin() + 1, words.end()});
} catch (const std::exception& error) {
  return fail(1, error.what());
}
