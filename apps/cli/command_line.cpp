#include "apps/cli/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>

#include "autograd/linalg/blas.h"
#include "data/io/files.h"

namespace apps {

namespace {

std::string indented(const std::vector<std::string>& examples) {
  std::string text = "Examples:";
  for (const std::string& example : examples) text += "\n  " + example;
  return text;
}

void complain(const std::string& message) { fmt::print(stderr, "error: {}\n", message); }

// What the command line would hold for this value: "0.5", "true", text without its quotes.
std::string as_argument(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

CLI::Validator range(const std::string& description, const std::function<bool(double)>& holds) {
  return CLI::Validator(
      [description, holds](std::string& text) {
        double value = 0;
        const bool ok = CLI::detail::lexical_cast(text, value) && holds(value);
        return ok ? std::string() : fmt::format("{} is not a number {}", text, description);
      },
      description);
}

}  // namespace

CLI::Validator at_least(double lowest) {
  return range(fmt::format(">= {}", lowest), [lowest](double value) { return value >= lowest; });
}

CLI::Validator between(double lowest, double highest) {
  return range(fmt::format("in {}..{}", lowest, highest),
               [lowest, highest](double value) { return value >= lowest && value <= highest; });
}

CommandLine::CommandLine(const std::string& program, const std::string& description,
                         const std::vector<std::string>& examples, CommonOptions& common)
    : app_(description, program), common_(common) {
  app_.footer(indented(examples));
  app_.set_version_flag("--version", program + " (softalign) " SOFTALIGN_VERSION);
  app_.get_formatter()->column_width(34);
  app_.add_option("--config", config_, "read options from a run's config.json; the command line wins");
  add("seed", common_.seed, "seed of everything random: same seed, same bytes");
  add("threads", common_.threads, "threads to use; 0: one per core")->check(between(0, 1024));
}

CLI::Option* CommandLine::add(const std::string& name, bool& field, const std::string& description) {
  fields_.push_back({name, [&field] { return nlohmann::ordered_json(field); }});
  return app_.add_flag(fmt::format("--{0},!--no-{0}", name), field,
                       fmt::format("{} [{}]", description, field ? "yes" : "no"));
}

void CommandLine::add_note(const std::string& text) { app_.footer(app_.get_footer() + "\n\n" + text); }

bool CommandLine::given(const std::string& name) const { return app_.count("--" + name) > 0; }

nlohmann::ordered_json CommandLine::json() const {
  nlohmann::ordered_json values = nlohmann::ordered_json::object();
  for (const Field& field : fields_) values[field.name] = field.json();
  return values;
}

void CommandLine::read_json(const nlohmann::json& values, const std::string& where) {
  if (!values.is_object()) throw std::runtime_error(where + ": expected a JSON object {\"option\": value, ...}");
  for (const Field& field : fields_) {
    const auto found = values.find(field.name);
    if (found == values.end() || given(field.name)) continue;
    CLI::Option* option = app_.get_option("--" + field.name);
    try {
      option->clear();
      if (found->is_array()) {
        for (const auto& value : *found) option->add_result(as_argument(value));
      } else {
        option->add_result(as_argument(*found));
      }
      option->run_callback();
      option->clear();
    } catch (const CLI::ParseError& error) {
      throw std::runtime_error(fmt::format("{}: \"{}\": {}", where, field.name, error.what()));
    }
  }
}

void CommandLine::parse(int argc, char** argv) {
  app_.parse(argc, argv);
  if (config_.empty() && default_config_) config_ = default_config_();
  if (config_.empty()) return;
  const std::string text = data::read_bytes(config_);
  const auto values = nlohmann::json::parse(text, nullptr, false);
  if (values.is_discarded()) throw std::runtime_error(config_ + ": not JSON; expected a run's config.json");
  read_json(values, config_);
}

int CommandLine::run(int argc, char** argv, const std::function<int()>& body) {
  try {
    try {
      parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() == 0) return app_.exit(error);  // --help, --version
      throw UsageError(error.what());
    }
    autograd::set_threads(common_.threads > 0 ? static_cast<int>(common_.threads) : autograd::threads());
    common_.threads = static_cast<std::size_t>(autograd::threads());
    autograd::flush_denormals();
    fmt::print(stderr, "softalign {} {}: {}\n", SOFTALIGN_VERSION, app_.get_name(), autograd::describe_blas());
    for (const std::string& warning : autograd::blas_warnings()) fmt::print(stderr, "warning: {}\n", warning);
    const int status = body();
    std::cout.flush();
    if (!std::cout || std::fflush(stdout) != 0) throw std::runtime_error("standard output could not be written");
    return status;
  } catch (const UsageError& error) {
    complain(error.what());
    fmt::print(stderr, "{} --help shows the options and examples.\n", app_.get_name());
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
