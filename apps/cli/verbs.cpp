#include "apps/cli/verbs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "apps/cli/manual.h"
#include "data/io/choice.h"
#include "data/io/shipped.h"

namespace softalign::apps {

namespace {

std::string names() {
  std::vector<std::string> all{"help"};
  for (const Verb& verb : verbs()) all.push_back(verb.name);
  return fmt::format("{}", fmt::join(all, " "));
}

// The completion function of the program completes the words after the verb.
std::string bash() {
  return fmt::format(R"(# bash completion of softalign
_softalign() {{
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W '{}' -- "$2")
    return
  fi
  local verb=${{COMP_WORDS[1]}}
  declare -F "_softalign_$verb" > /dev/null || . "${{BASH_SOURCE[0]%/*}}/softalign-$verb" 2> /dev/null || return
  "_softalign_$verb" "$@"
}}
complete -o filenames -F _softalign softalign
)",
                     names());
}

std::string zsh() {
  return fmt::format(R"(#compdef softalign
local line state ret=1
_arguments -C '1:command:({})' '*::argument:->arguments' && ret=0
[[ $state == arguments ]] && _call_function ret "_softalign-$line[1]"
return ret
)",
                     names());
}

std::string fish() {
  std::string text = "# fish completion of softalign\n";
  for (const Verb& verb : verbs())
    text += fmt::format("complete -c softalign -n __fish_use_subcommand -f -a {} -d {}\n", verb.name,
                        quoted_for_fish(verb.about));
  return text + R"(complete -c softalign -n 'not __fish_use_subcommand' -a '(
  set -l words (commandline -opc) (commandline -ct)
  complete -C "softalign-$words[2] $words[3..-1]")'
)";
}

}  // namespace

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> all{
      {"train", "train a model on a corpus, and write it to a run folder"},
      {"translate", "translate lines, and show the attention"},
      {"caption", "describe pictures, and show the attention of each word"},
      {"entail", "judge whether one sentence follows from another"},
      {"answer", "answer questions about stories, and show the attention to sentences"},
      {"align", "align given sentence pairs with the attention of a model"},
      {"links", "align sentence pairs without a trained model"},
      {"evaluate", "score translations and alignments on a corpus"},
      {"score", "compute the log probability of given translations"},
      {"view", "write the alignments of a run as one HTML file"},
      {"average", "average the weights of several epochs"},
      {"convert", "convert alignments between formats"},
      {"reproduce", "repeat experiments of papers and check their claims"},
      {"make_corpus", "generate a corpus with gold alignments"},
  };
  return all;
}

std::string problem_of_verb(const std::string& name) {
  std::vector<std::string> known;
  for (const Verb& verb : verbs()) known.push_back(verb.name);
  const bool is_known = std::find(known.begin(), known.end(), name) != known.end();
  if (is_known) return "";
  static const std::map<std::string, std::string> others{{"predict", "translate"},
                                                         {"infer", "translate"},
                                                         {"inference", "translate"},
                                                         {"decode", "translate"},
                                                         {"generate", "translate"},
                                                         {"run", "translate"},
                                                         {"test", "evaluate"},
                                                         {"eval", "evaluate"},
                                                         {"validate", "evaluate"},
                                                         {"bleu", "evaluate"},
                                                         {"show", "view"},
                                                         {"plot", "view"},
                                                         {"visualize", "view"},
                                                         {"visualise", "view"},
                                                         {"page", "view"},
                                                         {"fit", "train"},
                                                         {"learn", "train"},
                                                         {"resume", "train --resume"},
                                                         {"fast_align", "links"},
                                                         {"fast-align", "links"},
                                                         {"split", "make_corpus split"},
                                                         {"corpus", "make_corpus"},
                                                         {"make-corpus", "make_corpus"},
                                                         {"preprocess", "train"},
                                                         {"build_vocab", "train"},
                                                         {"vocab", "train"}};
  if (const auto found = others.find(name); found != others.end())
    return fmt::format("no command {}: use {} instead", name, found->second);
  return fmt::format("no command {}{}", name, data::did_you_mean(name, known));
}

std::filesystem::path sibling(const std::string& name) {
  const std::filesystem::path folder = data::program_folder();
  const std::filesystem::path installed = folder / ("softalign-" + name);
  return std::filesystem::exists(installed) ? installed : folder / name;
}

Manual verbs_manual() {
  Manual manual{"softalign",
                "softalign",
                "Attention on a CPU: trains models, translates, aligns words and shows the attention.",
                {"softalign train --data my/corpus --out runs/mine", "softalign translate --run runs/mine < input.en",
                 "softalign help align"}};
  manual.arguments = "COMMAND [OPTIONS]";
  manual.notes = {"softalign COMMAND --help shows the options of a command."};
  for (const Verb& verb : verbs())
    manual.entries.push_back(
        {{verb.name, static_cast<std::string*>(nullptr), verb.about, {}, true, "Commands"}, "", true});
  for (const auto& [name, help] :
       {std::pair("help", "show this text; help COMMAND shows the help of a command"),
        std::pair("version", "the version"),
        std::pair("generate", "print the manual page or shell completions: man, bash, zsh, fish")})
    manual.entries.push_back({{name, static_cast<bool*>(nullptr), help, {}, true, general}});
  return manual;
}

std::string generate_for_verbs(const std::string& form) {
  if (form == "bash") return bash();
  if (form == "zsh") return zsh();
  if (form == "fish") return fish();
  return man_page(verbs_manual());
}

}  // namespace softalign::apps
