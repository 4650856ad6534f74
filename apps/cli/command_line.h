// The command line that all programs share: their options declared once each, for --help, for the command line and for
// config.json; exit statuses; the first lines on the screen.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/cli/common_options.h"

namespace apps {

// The options of one program. Each is declared once, with a default that stands in its field:
//
//   CommandLine line("align", "Aligns ...", {"align --run runs/demo --data data/toy/test.tsv"}, common);
//   line.add("run", options.run, "the run folder")->required();
//   return line.run(argc, argv, [&] { ...; return 0; });
class CommandLine {
 public:
  // Examples are whole command lines, shown by --help.
  CommandLine(const std::string& program, const std::string& description, const std::vector<std::string>& examples,
              CommonOptions& common);

  // Declares --name VALUE, or for a bool the flags --name and --no-name.
  template <class T>
  CLI::Option* add(const std::string& name, T& field, const std::string& description) {
    fields_.push_back({name, [&field] { return nlohmann::ordered_json(field); }});
    return app_.add_option("--" + name, field, description)->capture_default_str();
  }
  CLI::Option* add(const std::string& name, bool& field, const std::string& description);
  // The same for options that belong to one call of the program, not to a configuration: --out, --force, a bool is a
  // plain flag.
  template <class T>
  CLI::Option* add_here(const std::string& name, T& field, const std::string& description) {
    return app_.add_option("--" + name, field, description)->capture_default_str();
  }
  CLI::Option* add_here(const std::string& name, bool& field, const std::string& description) {
    return app_.add_flag("--" + name, field, description);
  }

  // Another paragraph at the end of --help.
  void add_note(const std::string& text);

  // A word without a name: program VALUE.
  CLI::Option* add_word(const std::string& name, std::string& field, const std::string& description) {
    return app_.add_option(name, field, description)->capture_default_str();
  }

  bool given(const std::string& name) const;  // on the command line

  // All options made by add() as they stand, in order of declaration: what config.json holds.
  nlohmann::ordered_json json() const;
  // Options that the command line does not give take their values from the object; names that are not options of this
  // program are ignored. std::runtime_error starting with `where` for a value that the command line would refuse.
  void read_json(const nlohmann::json& values, const std::string& where);

  // The config.json to read where --config is not given, asked after parsing; "" for none.
  void default_config(std::function<std::string()> path) { default_config_ = std::move(path); }

  // Parses, reads --config, sets the number of threads, says on stderr which program and which BLAS this is, and runs
  // `body`. Returns the exit status: the body's, 0 after --help and --version, 2 for wrong usage, 1 for any other
  // exception, whose message goes to stderr, and for a standard output that could not be written.
  int run(int argc, char** argv, const std::function<int()>& body);

 private:
  struct Field {
    std::string name;
    std::function<nlohmann::ordered_json()> json;
  };
  void parse(int argc, char** argv);

  CLI::App app_;
  CommonOptions& common_;
  std::string config_;
  std::function<std::string()> default_config_;
  std::vector<Field> fields_;
};

// Validators for CLI::Option::check. NaN is in no range.
CLI::Validator at_least(double lowest);
CLI::Validator between(double lowest, double highest);

}  // namespace apps
