#include "apps/cli/command_line.h"

#include <fmt/format.h>

// Parsing is CLI11's, which only this source reads: it costs ten seconds of compilation.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <utility>

#include "autograd/linalg/blas.h"
#include "data/io/files.h"
#include "models/config.h"

namespace apps {

namespace {

std::string indented(const std::vector<std::string>& examples) {
  std::string text = "Examples:";
  for (const std::string& example : examples) text += "\n  " + example;
  return text;
}

void complain(const std::string& message) { fmt::print(stderr, "error: {}\n", message); }

// The field's option under these names, with its default shown.
CLI::Option* option_of(CLI::App& app, const std::string& names, Field field, const std::string& help) {
  return std::visit([&](auto* value) { return app.add_option(names, *value, help)->capture_default_str(); }, field);
}

void apply_rule(CLI::Option* option, const std::string& name, const Rule& rule) {
  if (rule.required) option->required();
  if (rule.commas) option->delimiter(',');
  if (rule.repeated) option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  if (const std::string values = describe(rule); !values.empty())
    option->check(CLI::Validator([name, rule](std::string& text) { return problem_of(name, rule, text); }, values));
}

}  // namespace

struct CommandLine::Parser {
  CLI::App app;
  models::Table configured;  // what config.json holds
};

CommandLine::CommandLine(const std::string& program, const std::string& description,
                         const std::vector<std::string>& examples, CommonOptions& common)
    : parser_(new Parser{CLI::App(description, program), {}}), common_(common) {
  CLI::App& app = parser_->app;
  app.footer(indented(examples));
  app.set_version_flag("--version", program + " (softalign) " SOFTALIGN_VERSION);
  app.get_formatter()->column_width(34);
  app.add_option("--config", config_, "read options from a run's config.json; the command line wins");
  add(table(common_));
}

CommandLine::~CommandLine() = default;

void CommandLine::add(const std::string& name, Field field, const std::string& help, const Rule& rule) {
  parser_->configured.push_back({name, field, help, rule});
  if (bool* const* flag = std::get_if<bool*>(&field)) {
    parser_->app.add_flag(fmt::format("--{0},!--no-{0}", name), **flag,
                          fmt::format("{} [{}]", help, **flag ? "yes" : "no"));
  } else {
    add_here(name, field, help, rule);
  }
}

void CommandLine::add_here(const std::string& name, Field field, const std::string& help, const Rule& rule) {
  const std::string option = fmt::format("--{}", name);
  bool* const* flag = std::get_if<bool*>(&field);
  apply_rule(flag ? parser_->app.add_flag(option, **flag, help) : option_of(parser_->app, option, field, help), name,
             rule);
}

void CommandLine::add(const models::Table& table) {
  for (const models::Option& option : table)
    if (option.asked) add(option.name, option.field, option.help, option.rule);
}

void CommandLine::add_here(const models::Table& table) {
  for (const models::Option& option : table)
    if (option.asked) add_here(option.name, option.field, option.help, option.rule);
}

void CommandLine::add_word(const std::string& name, std::string* field, const std::string& help, const Rule& rule) {
  apply_rule(option_of(parser_->app, name, field, help), name, rule);
}

void CommandLine::add_note(const std::string& text) { parser_->app.footer(parser_->app.get_footer() + "\n\n" + text); }

bool CommandLine::given(const std::string& name) const { return parser_->app.count(fmt::format("--{}", name)) > 0; }

void CommandLine::default_config(std::function<std::string()> path) { default_config_ = std::move(path); }

std::string CommandLine::config() const { return models::write_config(parser_->configured); }

void CommandLine::read_config(const std::string& text, const std::string& where) {
  models::Table left;
  for (const models::Option& option : parser_->configured)
    if (!given(option.name)) left.push_back(option);
  models::read_config(left, text, where);
}

void CommandLine::parse(int argc, char** argv) {
  parser_->app.parse(argc, argv);
  if (config_.empty() && default_config_) config_ = default_config_();
  if (!config_.empty()) read_config(data::read_bytes(config_), config_);
}

int CommandLine::run(int argc, char** argv, const std::function<int()>& body) {
  try {
    try {
      parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() == 0) return parser_->app.exit(error);  // --help, --version
      throw UsageError(error.what());
    }
    autograd::choose_blas_kernel();
    autograd::set_threads(common_.threads > 0 ? static_cast<int>(common_.threads) : autograd::threads());
    common_.threads = static_cast<std::size_t>(autograd::threads());
    autograd::flush_denormals();
    fmt::print(stderr, "softalign {} {}: {}\n", SOFTALIGN_VERSION, parser_->app.get_name(), autograd::describe_blas());
    for (const std::string& warning : autograd::blas_warnings()) fmt::print(stderr, "warning: {}\n", warning);
    const int status = body();
    std::cout.flush();
    if (!std::cout || std::fflush(stdout) != 0) throw std::runtime_error("standard output could not be written");
    return status;
  } catch (const UsageError& error) {
    complain(error.what());
    fmt::print(stderr, "{} --help shows the options and examples.\n", parser_->app.get_name());
    return 2;
  } catch (const std::bad_alloc&) {
    complain("not enough memory; smaller batches or fewer hidden units take less");
    return 1;
  } catch (const std::exception& error) {
    complain(error.what());
    return 1;
  }
}

}  // namespace apps
