// Positional arguments of a command line: answer STORY QUESTION, caption PICTURE...
#include <unistd.h>

#include <cstdio>

#include "apps/cli/command_line.h"
#include "apps/cli/manual.h"
#include "data/io/files.h"
#include "tests/catch.h"
#include "tests/temporary.h"

using namespace softalign;

namespace {

using Words = std::vector<std::string>;
using Catch::Matchers::Contains;

// The exit status of a program and what it prints.
struct Call {
  int status;
  std::string out, err;
};

// Runs `act` while standard output and standard error go to files.
template <class Act>
Call caught(const Act& act) {
  const TemporaryFolder folder;
  std::fflush(stdout), std::fflush(stderr);
  const int before[2] = {dup(STDOUT_FILENO), dup(STDERR_FILENO)};
  REQUIRE(std::freopen(folder.file("out").c_str(), "w", stdout));
  REQUIRE(std::freopen(folder.file("err").c_str(), "w", stderr));
  const int status = act();
  std::fflush(stdout), std::fflush(stderr);
  dup2(before[0], STDOUT_FILENO), dup2(before[1], STDERR_FILENO);
  close(before[0]), close(before[1]);
  return {status, data::read_bytes(folder.file("out")), data::read_bytes(folder.file("err"))};
}

int run(apps::CommandLine& line, const std::string& program, Words words, const std::function<int()>& body) {
  words.insert(words.begin(), program);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  return line.run(static_cast<int>(argv.size()), argv.data(), body);
}

struct Answer {
  apps::CommonOptions common;
  std::string story, question, run;
  apps::CommandLine line{"answer", "Answers.", {"answer story.txt \"where is mary\""}, common};
  Answer() {
    line.add_word("STORY", &story, "a file", {.required = true});
    line.add_word("QUESTION", &question, "of it", {.required = true});
    line.add_here("run", &run, "the run folder");
  }
  Call call(const Words& words) {
    return caught([&] { return ::run(line, "answer", words, [] { return 0; }); });
  }
};

struct Caption {
  apps::CommonOptions common;
  std::string run;
  Words pictures;
  apps::CommandLine line{"caption", "Captions.", {"caption --run r a.png b.png"}, common};
  Caption() {
    line.add_here("run", &run, "the run folder", {.required = true});
    line.add_word("PICTURE", &pictures, "files", {.required = true});
  }
  Call call(const Words& words) {
    return caught([&] { return ::run(line, "caption", words, [] { return 0; }); });
  }
};

}  // namespace

TEST_CASE("words keep their order, with options before, between and after them") {
  for (const Words& words : {Words{"s.txt", "where is mary", "--run", "r"}, Words{"--run=r", "s.txt", "where is mary"},
                             Words{"s.txt", "--run", "r", "where is mary"}}) {
    Answer answer;
    CHECK(answer.call(words).status == 0);
    CHECK((answer.story == "s.txt" && answer.question == "where is mary" && answer.run == "r"));
  }
}

TEST_CASE("a list takes all remaining words, and words after -- that begin like options") {
  Caption caption;
  CHECK(caption.call({"a.png", "--run", "r", "b.png", "--", "--c.png"}).status == 0);
  CHECK(caption.pictures == Words{"a.png", "b.png", "--c.png"});
}

TEST_CASE("missing, empty and excess words are wrong usage") {
  const auto refused = [](auto&& program, const Words& words, const std::string& says) {
    const Call call = program.call(words);
    CHECK(call.status == 2);
    CHECK(call.out.empty());
    CHECK_THAT(call.err, Contains("error: " + says));
  };
  const std::string of_answer = "usage: answer [OPTIONS] STORY QUESTION";
  refused(Answer(), {}, "STORY is missing; " + of_answer);
  refused(Answer(), {"s.txt"}, "QUESTION is missing; " + of_answer);
  refused(Answer(), {"s.txt", ""}, "QUESTION is empty; " + of_answer);
  refused(Answer(), {"s.txt", "where", "is", "mary"},
          "\"is\" is one word too many. Write text with spaces in quotes; " + of_answer);
  refused(Answer(), {"s.txt", "where", "--ruin", "r"}, "no option --ruin; did you mean --run?");
  refused(Caption(), {"--run", "r"}, "PICTURE is missing; usage: caption [OPTIONS] PICTURE...");
  refused(Caption(), {"--run", "r", "a.png", ""}, "PICTURE is empty; ");
}

TEST_CASE("words are in the help, the manual page and the completions") {
  Answer answer;
  const std::string help = answer.call({"--help"}).out;
  CHECK_THAT(help, Contains("Usage: answer [OPTIONS] STORY QUESTION\n"));
  CHECK_THAT(help, Contains("  QUESTION                  of it (required)\n"));
  CHECK_THAT(answer.call({"--generate", "man"}).out, Contains("answer\\fR [OPTIONS] STORY QUESTION"));
  Caption caption;
  CHECK_THAT(caption.call({"--help"}).out, Contains("Usage: caption [OPTIONS] PICTURE...\n"));
  CHECK_THAT(caption.call({"--generate", "zsh"}).out, Contains("'*:PICTURE:_files'"));
  CHECK_THAT(caption.call({"--generate", "bash"}).out, Contains("-- \"$2\"; compgen -f -- \"$2\""));
  CHECK_THAT(caption.call({"--generate", "fish"}).out, !Contains("PICTURE"));
}
