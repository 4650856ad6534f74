#include "apps/cli/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

// CLI11 parses the command line. Only this source file includes CLI11, because it takes ten seconds to compile.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <exception>
#include <iostream>
#include <map>
#include <new>
#include <sstream>
#include <utility>

#include "apps/cli/manual.h"
#include "apps/cli/other_tools.h"
#include "apps/terminal/address_space.h"
#include "apps/terminal/output.h"
#include "apps/terminal/terminal.h"
#include "autograd/memory.h"
#include "autograd/threads/blas.h"
#include "data/io/choice.h"
#include "data/io/commands.h"
#include "data/io/error.h"
#include "data/io/fields.h"
#include "data/io/files.h"
#include "data/io/own_files.h"
#include "data/io/temporary_names.h"
#include "data/io/unicode.h"
#include "models/config.h"
#include "models/old_names.h"

namespace softalign::apps {

namespace {

// A message may contain text from a file. Such text must not control the terminal, fill it, or look like a message of
// its own. Therefore all lines after the first are indented.
void complain(const std::string& message) {
  constexpr std::size_t longest = 8000;  // code points, about two paths of maximal length
  std::istringstream lines(data::shortened(message, longest));
  std::string shown;
  for (std::string line; std::getline(lines, line);) shown += (shown.empty() ? "" : "\n  ") + printable(line);
  report_error(shown);
}

CLI::Option* option_of(CLI::App& app, const std::string& names, const models::EnumField& field) {
  return app.add_option_function<std::string>(names, [field](const std::string& name) { field.set(name); });
}
template <class Value>
CLI::Option* option_of(CLI::App& app, const std::string& names, Value* value) {
  return app.add_option(names, *value);
}

// Returns the default value as --help shows it, or "" if there is none.
std::string preset_of(const models::Option& option) {
  if (bool* const* flag = std::get_if<bool*>(&option.field)) return **flag ? "yes" : "no";
  const std::string text = text_of(option);
  return text == "[]" ? "" : text;
}

using Advice = std::vector<std::pair<std::string, std::string>>;
using AdviceByOption = std::map<std::string, Advice>;

// Returns the advice on what to write instead of the value, or "" if there is none. The function looks up the value in
// lower case, and then only the letters at its beginning.
std::string advice_on(const Advice& advice, std::string value) {
  for (char& c : value) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0; };
  const std::string letters(value.begin(), std::find_if_not(value.begin(), value.end(), is_letter));
  for (const std::string& name : {value, letters})
    for (const auto& [typed, what] : advice)
      if (typed == name) return what;
  return "";
}

// Returns the hint for a number with a decimal comma, or "" for any other value.
std::string with_point(std::string value) {
  if (std::count(value.begin(), value.end(), ',') != 1) return "";
  std::replace(value.begin(), value.end(), ',', '.');
  return data::number<double>(value) ? fmt::format(". Write the number with a decimal point: {}", value) : "";
}

// Returns the problem with a value (models::problem_of), with advice on what to write instead if there is any.
std::string problem_with_advice(const models::Option& option, const std::string& value, const AdviceByOption& all) {
  const std::string problem = problem_of(option, value, "value");
  if (problem.empty()) return "";
  const auto its = all.find(option.name);
  const std::string advice = its == all.end() ? "" : advice_on(its->second, value);
  if (advice.empty()) return problem + with_point(value);
  return fmt::format("unknown value {}; {}. Known are: {}", data::in_quotes(value), advice,
                     fmt::join(option.rule.names, ", "));
}

// Checks values, and removes leading zeros from whole numbers. CLI11 would read "010" as 8, and "-1" as the largest
// number.
void apply_rule(CLI::Option* option, const models::Option& declared, const AdviceByOption& advice) {
  const Rule& rule = declared.rule;
  if (rule.required) option->required();
  if (rule.commas) option->delimiter(',');
  if (rule.repeated) option->expected(1)->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  const auto check = [declared, &advice](std::string& text) {
    const Rule& its = declared.rule;
    const bool whole = models::kind_of(declared.field) == std::string("a whole number");
    if (whole && !its.also.empty() && text == its.also.front()) text = fmt::format("{:.0f}", its.highest);
    const std::string problem = problem_with_advice(declared, text, advice);
    if (problem.empty() && whole) text.erase(0, std::min(text.find_first_not_of('0'), text.size() - 1));
    return problem;
  };
  option->transform(CLI::Validator(check, ""));
}

// CLI11 reports "At Most 1 required but received 2" and "1 required TEXT missing". This function returns clearer
// messages.
std::string problem_of_count(const CLI::App& app, const std::string& message) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (!message.starts_with(name + ":")) continue;
    const std::size_t n = option->count();
    if (n > 1)
      return fmt::format("{0} was given {1}. Give {0} once", name, n == 2 ? "twice" : fmt::format("{} times", n));
    if (n == 0) return fmt::format("{} has no value. Write a value after the option", name);
  }
  return message;
}

// CLI11 puts the option before the problem with its value: "--threshold: threshold is 2". The result names the option
// once.
std::string without_repetition(const std::string& message) {
  const std::size_t colon = message.find(": ");
  if (!message.starts_with("--") || colon == message.npos) return message;
  std::string name = message.substr(2, colon - 2);
  std::replace(name.begin(), name.end(), '-', ' ');
  const std::string rest = message.substr(colon + 2);
  return rest.starts_with(name + " is ") ? message.substr(0, colon) + rest.substr(name.size()) : message;
}

std::vector<std::string> names_of_options(const Manual& manual) {
  std::vector<std::string> all;
  for (const Entry& entry : manual.entries)
    for (const std::string& spelling : spellings(entry, true))
      if (spelling != "-h") all.push_back(spelling.substr(2));
  return all;
}

// Returns the setting as an option: "--over=words", "--hard-attention" or "--no-hard-attention".
std::string on_command_line(const models::Setting& setting) {
  if (setting.value == "true") return "--" + setting.option;
  return setting.value == "false" ? "--no-" + setting.option : fmt::format("--{}={}", setting.option, setting.value);
}

// Replaces the old names of the program's options and of their values (models/old_names.h): --scope local-m becomes
// --attention-window local-m, and --look hard becomes --hard-attention.
std::vector<std::string> without_old_names(std::vector<std::string> words, const std::vector<std::string>& known) {
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    if (!words[i].starts_with("--")) continue;
    const std::size_t equals = std::min(words[i].find('='), words[i].size());
    const bool joined = equals < words[i].size();
    const std::string name = words[i].substr(2, equals - 2);
    const std::string value = joined ? words[i].substr(equals + 1) : i + 1 < words.size() ? words[i + 1] : "";
    const models::Setting now = models::with_current_names({name, value});
    if (std::find(known.begin(), known.end(), now.option) == known.end()) continue;
    if (now.value == value) {
      words[i].replace(2, name.size(), now.option);
      continue;
    }
    words[i] = on_command_line(now);
    if (!joined) words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  return words;
}

// Returns the problem with the positional arguments (Entry::is_word): one is empty, or a required one is missing.
// Returns "" if there is no problem. `given` returns the words that the user gave for a positional argument.
std::string problem_of_words(const Manual& manual,
                             const std::function<std::vector<std::string>(const std::string& name)>& given) {
  for (const Entry& entry : manual.entries) {
    if (!entry.is_word) continue;
    const std::vector<std::string> words = given(entry.option.name);
    const bool empty = std::find(words.begin(), words.end(), "") != words.end();
    if (empty || (entry.option.rule.required && words.empty()))
      return fmt::format("{} is {}; {}", entry.option.name, empty ? "empty" : "missing", manual.usage());
  }
  return "";
}

// Returns the problem with the words that remain after parsing. It is an unknown option, or else a word that belongs to
// no option.
std::string problem_of_rest(const std::vector<std::string>& rest, const Manual& manual) {
  const std::vector<std::string> known = names_of_options(manual);
  const auto option = std::find_if(rest.begin(), rest.end(), [](const std::string& word) { return word[0] == '-'; });
  if (option == rest.end()) {
    const std::string quoted = data::in_quotes(rest.front());
    if (const std::string advice = advice_on_word(manual.program, rest.front(), known); !advice.empty())
      return fmt::format("{} belongs to no option: {}", quoted, advice);
    const bool takes_words =
        std::any_of(manual.entries.begin(), manual.entries.end(), [](const Entry& entry) { return entry.is_word; });
    return takes_words
               ? fmt::format("{} is one word too many. Write text with spaces in quotes; {}", quoted, manual.usage())
               : fmt::format("{} belongs to no option. Write each value after the name of its option", quoted);
  }
  if (const std::string advice = advice_on_option(manual.program, *option, known); !advice.empty())
    return fmt::format("no option {}{} {}", option->substr(0, option->find('=')),
                       advice.starts_with("did you mean") ? ";" : ":", advice);
  const std::string name = option->substr(0, option->find('='));
  const std::string meant = data::nearest(name.substr(std::min(name.find_first_not_of('-'), name.size())), known);
  return fmt::format("no option {}{}", name, meant.empty() ? "" : fmt::format("; did you mean --{}?", meant));
}

bool has_empty_item(const std::string& list) {
  return list.empty() || list.front() == ',' || list.back() == ',' || list.find(",,") != std::string::npos;
}

// Returns the problem with the first list that has one, or "". The items of a list are separated by commas. No item may
// be empty, as in "1,,2", "1," and "".
std::string problem_of_lists(const std::vector<Entry>& entries, const std::vector<std::string>& words) {
  for (const Entry& entry : entries) {
    if (!entry.option.rule.commas) continue;
    for (const std::string& name : spellings(entry, true)) {
      for (std::size_t i = 0; i < words.size(); ++i) {
        const bool joined = words[i].starts_with(name + "=");
        if (!joined && (words[i] != name || i + 1 == words.size())) continue;
        const std::string list = joined ? words[i].substr(name.size() + 1) : words[i + 1];
        if (has_empty_item(list))
          return fmt::format("{}: {} has an empty item; separate the items by one comma, as in 1,2", name,
                             data::in_quotes(list));
      }
    }
  }
  return "";
}

}  // namespace

struct CommandLine::Parser {
  CLI::App app;
  Manual manual;
  models::Table configured;  // the options in config.json
  std::vector<std::string> passed_over;
  std::string heading = general, form;
  AdviceByOption advice;
  std::map<std::string, std::function<std::string()>> if_missing = {};

  bool is_configured(const std::string& name) const {
    return std::any_of(configured.begin(), configured.end(), [&](const auto& option) { return option.name == name; });
  }
};

CommandLine::CommandLine(const std::string& program, const std::string& description,
                         const std::vector<std::string>& examples, CommonOptions& common)
    : parser_(
          new Parser{CLI::App(description, program), {program, program, description, examples}, {}, {}, {}, {}, {}}),
      common_(common) {
  CLI::App& app = parser_->app;
  app.set_help_flag("-h,--help");
  app.set_help_all_flag("--help-all");
  app.set_version_flag("--version", program + " (softalign) " SOFTALIGN_VERSION);
  group(general);
  add_here("config", &config_, "read a config.json; the command line overrides it");
  add(table(common_));
  add_here("generate", &parser_->form, "print a manual page (`man`) or shell completions (`bash`, `zsh`, `fish`)",
           one_of(generated_forms()));
  for (const auto& [name, help] :
       {std::pair("help", "show the most important options"), std::pair("help-all", "show all options"),
        std::pair("version", "print the version")})
    parser_->manual.entries.push_back({{name, static_cast<bool*>(nullptr), help, {}, true, general}});
  group("Options");
}

CommandLine::~CommandLine() = default;

void CommandLine::declare(const std::string& name, Field field, const std::string& help, const Rule& rule,
                          bool is_pair) {
  const models::Option option{name, field, help, rule, true, parser_->heading};
  const bool is_flag = std::holds_alternative<bool*>(field);
  Entry entry{option, is_flag && !is_pair ? "" : preset_of(option), false, is_pair};
  std::string names;
  for (const std::string& spelling : spellings(entry, true))
    names += fmt::format("{}{}{}", names.empty() ? "" : ",", spelling.rfind("--no-", 0) == 0 ? "!" : "", spelling);
  CLI::App& app = parser_->app;
  if (bool* const* flag = std::get_if<bool*>(&field)) {
    app.add_flag(names, **flag);
  } else
    apply_rule(std::visit([&](const auto& its) { return option_of(app, names, its); }, field), option, parser_->advice);
  parser_->manual.entries.push_back(std::move(entry));
}

void CommandLine::add(const std::string& name, Field field, const std::string& help, const Rule& rule) {
  parser_->configured.push_back({name, field, help, rule});
  declare(name, field, help, rule, std::holds_alternative<bool*>(field));
}

void CommandLine::add_here(const std::string& name, Field field, const std::string& help, const Rule& rule) {
  declare(name, field, help, rule, false);
}

void CommandLine::add(const models::Table& table) {
  const std::string before = parser_->heading;
  for (const models::Option& option : table) {
    group(option.group.empty() ? before : option.group);
    if (option.asked) add(option.name, option.field, option.help, option.rule);
  }
  group(before);
}

void CommandLine::add_here(const models::Table& table) {
  const std::string before = parser_->heading;
  for (const models::Option& option : table) {
    group(option.group.empty() ? before : option.group);
    if (option.asked) add_here(option.name, option.field, option.help, option.rule);
  }
  group(before);
}

void CommandLine::add_word(const std::string& name, Field field, const std::string& help, const Rule& rule) {
  models::Option option{name, field, help, rule, true, parser_->heading};
  const Entry entry{option, preset_of(option), true};
  option.rule.required = false;  // check_words() has a clearer message
  apply_rule(std::visit([&](const auto& its) { return option_of(parser_->app, name, its); }, field), option,
             parser_->advice);
  parser_->manual.entries.push_back(entry);
  parser_->manual.arguments += " " + usage_of(entry);
}

void CommandLine::show_default(const std::string& name, const std::string& value) {
  for (Entry& entry : parser_->manual.entries)
    if (entry.option.name == name) entry.preset = value;
}

void CommandLine::extend_default(const std::string& name, const std::string& more) {
  for (Entry& entry : parser_->manual.entries)
    if (entry.option.name == name) entry.preset += more;
}

void CommandLine::advise(const std::string& name, std::vector<std::pair<std::string, std::string>> advice) {
  parser_->advice[name] = std::move(advice);
}

void CommandLine::advise_if_missing(const std::string& name, std::function<std::string()> advice) {
  parser_->if_missing[name] = std::move(advice);
}

std::string CommandLine::advice_if_missing(const std::exception& error) const {
  if (dynamic_cast<const CLI::RequiredError*>(&error) == nullptr) return "";
  for (const auto& [name, advice] : parser_->if_missing)
    if (!given(name)) return ". " + advice();
  return "";
}

void CommandLine::group(const std::string& heading) { parser_->heading = heading; }
void CommandLine::first(std::vector<std::string> names) { parser_->manual.first = std::move(names); }
void CommandLine::add_note(const std::string& text) { parser_->manual.notes.push_back(text); }

bool CommandLine::given(const std::string& name) const {
  const auto typed = [&](const std::string& one) {
    const CLI::Option* option = parser_->app.get_option_no_throw("--" + one);
    return option != nullptr && option->count() > 0;
  };
  const std::vector<std::string> others = models::other_names(name);
  return typed(name) || std::any_of(others.begin(), others.end(), typed);
}
std::vector<std::string> CommandLine::given() const {
  std::vector<std::string> names;
  for (const Entry& entry : parser_->manual.entries)
    if (entry.option.group != general && given(entry.option.name)) names.push_back(entry.option.name);
  return names;
}
bool CommandLine::chosen(const std::string& name) const {
  return std::find(open_.begin(), open_.end(), name) == open_.end();
}
std::string CommandLine::called() const { return parser_->manual.called; }

void CommandLine::default_config(std::function<std::string()> path) { default_config_ = std::move(path); }
void CommandLine::own_defaults(std::function<std::string()> values) { own_defaults_ = std::move(values); }

std::string CommandLine::config() const { return models::write_config(parser_->configured); }

void CommandLine::pass_over(std::vector<std::string> names) { parser_->passed_over = std::move(names); }

void CommandLine::check_name(const std::string& name, const std::string& where) const {
  const auto is = [&](const models::Option& option) {
    const std::vector<std::string> others = models::other_names(option.name);
    return option.name == name || std::find(others.begin(), others.end(), name) != others.end();
  };
  const models::Table& table = parser_->configured;
  const std::vector<std::string>& passed = parser_->passed_over;
  if (std::any_of(table.begin(), table.end(), is) || std::find(passed.begin(), passed.end(), name) != passed.end())
    return;
  for (const Entry& entry : parser_->manual.entries)
    if (is(entry.option))
      throw data::Error(data::ErrorKind::bad_data,
                        fmt::format("{}: {} belongs on the command line: --{}", where, data::in_quotes(name), name));
  std::vector<std::string> known;
  for (const models::Option& option : table) known.push_back(option.name);
  throw data::Error(data::ErrorKind::bad_data,
                    fmt::format("{}: no option {}{}", where, data::in_quotes(name), data::did_you_mean(name, known)));
}

void CommandLine::read_config(const std::string& text, const std::string& where) {
  for (const std::string& name : models::names_in_config(text, where)) check_name(name, where);
  models::read_config(not_given(), text, where);
}

models::Table CommandLine::not_given() const {
  models::Table left;
  for (const models::Option& option : parser_->configured)
    if (!given(option.name)) left.push_back(option);
  return left;
}

bool CommandLine::has(const std::string& spelling) const {
  for (const Entry& entry : parser_->manual.entries) {
    const std::vector<std::string> its = spellings(entry, true);
    if (std::find(its.begin(), its.end(), spelling) != its.end()) return true;
  }
  return false;
}

void CommandLine::parse(std::vector<std::string> words) {
  words = without_old_names(std::move(words), names_of_options(parser_->manual));
  try {
    parser_->app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 reads the words from the back
  } catch (const CLI::Success&) {
    throw;
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> rest = parser_->app.remaining();
    if (!rest.empty()) throw UsageError(problem_of_rest(rest, parser_->manual));
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error))
      throw UsageError(problem_of_count(parser_->app, error.what()));
    // With --generate, no option is required, so the problem does not matter.
    if (parser_->form.empty()) throw UsageError(without_repetition(error.what()) + advice_if_missing(error));
  }
  check_named();
  if (parser_->form.empty()) check_words();
  const std::string problem = problem_of_lists(parser_->manual.entries, words);
  if (!problem.empty()) throw UsageError(problem);
  if (config_.empty() && default_config_) config_ = default_config_();
  constexpr std::size_t most = 1'000'000;  // bytes of a configuration
  const std::string text = config_.empty() ? "{}" : data::read_named(config_, most);
  read_config(text, config_);
  const models::Table open = models::not_named(not_given(), text, config_);
  for (const models::Option& option : open) open_.push_back(option.name);
  if (own_defaults_) models::read_config(open, own_defaults_(), "own defaults");
}

// If $OUT is empty, --out "$OUT" in a script must not act like a call without --out. In a configuration, "" is a valid
// value.
void CommandLine::check_named() const {
  for (const Entry& entry : parser_->manual.entries) {
    const models::Option& option = entry.option;
    std::string* const* text = std::get_if<std::string*>(&option.field);
    if (!text || entry.is_word || parser_->is_configured(option.name) || !given(option.name)) continue;
    if ((*text)->empty())
      throw UsageError(fmt::format("--{0} has an empty value. Add a value, or remove --{0}", option.name));
  }
}

void CommandLine::check_words() const {
  const std::string problem = problem_of_words(parser_->manual, [&](const std::string& name) {
    return parser_->app.count(name) > 0 ? parser_->app[name]->results() : std::vector<std::string>{};
  });
  if (!problem.empty()) throw UsageError(problem);
}

void CommandLine::help(bool all) const {
  const std::size_t columns = std::min<std::size_t>(terminal_columns(STDOUT_FILENO, 80), 110);
  print("{}", help_text(parser_->manual, all, columns));
}

void CommandLine::choose_threads() {
  if (common_.threads == 0 && chosen("threads")) open_.emplace_back("threads");  // 0 leaves the choice to the program
  autograd::set_threads(common_.threads > 0 ? static_cast<int>(common_.threads) : autograd::threads());
  common_.threads = static_cast<std::size_t>(autograd::threads());
}

int CommandLine::call(const std::vector<std::string>& words, const std::function<int()>& body) {
  try {
    parse(words);
  } catch (const CLI::Success&) {
    throw UsageError("help and the version are for programs. Remove the options help, help_all and version");
  }
  if (!parser_->form.empty()) throw UsageError("--generate is for programs. Remove this option");
  choose_threads();
  return body();
}

int CommandLine::act(int argc, char** argv, const std::function<int()>& body) {
  try {
    parse({argv + 1, argv + argc});
  } catch (const CLI::CallForHelp&) {
    help(false);
    return 0;
  } catch (const CLI::CallForAllHelp&) {
    help(true);
    return 0;
  } catch (const CLI::Success& version) {
    return parser_->app.exit(version);
  }
  if (!parser_->form.empty()) {
    print("{}", generate(parser_->manual, parser_->form));
    return 0;
  }
  autograd::choose_blas_kernel();
  choose_threads();
  autograd::flush_denormals();
  report("softalign {} {}: {}\n", SOFTALIGN_VERSION, parser_->app.get_name(), autograd::describe_blas());
  for (const std::string& warning : autograd::blas_warnings()) report("warning: {}\n", warning);
  return body();
}

int CommandLine::run(int argc, char** argv, const std::function<int()>& body) {
  check_address_space_first();
  occupy_standard_streams();
  data::remove_temporaries_on_signals();
  if (argc > 0) parser_->manual.called = argv[0];
  data::set_called(parser_->manual.program, called());
  try {
    const int status = act(argc, argv, body);
    std::cout.flush();
    if (!std::cout || std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw data::Error(data::ErrorKind::io_error, "standard output could not be written");
    return status;
  } catch (const UsageError& error) {
    complain(error.what());
    report("{} --help shows the options and examples.\n", called());
    return 2;
  } catch (const std::bad_alloc& error) {
    complain(autograd::describe_refusal(error));
    return 1;
  } catch (const std::exception& error) {
    complain(error.what());
    return 1;
  }
}

}  // namespace softalign::apps
