// The command line that all programs share. Each option is declared once, for --help, the command line and config.json.
// It also has exit statuses and the first lines on the screen.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "apps/cli/common_options.h"
#include "models/option_table.h"

namespace softalign::apps {

using models::between;
using models::Field;
using models::one_of;
using models::Rule;

// The options of one program. Each is declared once. Its default is the value of its field:
//
//   CommandLine line("align", "Aligns ...", {"align --run runs/demo --data data/toy/test.tsv"}, common);
//   line.add("run", &options.run, "the run folder", {.required = true});
//   return line.run(argc, argv, [&] { ...; return 0; });
class CommandLine {
 public:
  // Examples are complete command lines, and --help shows them. A comment may follow after two spaces or more.
  CommandLine(const std::string& program, const std::string& description, const std::vector<std::string>& examples,
              CommonOptions& common);
  ~CommandLine();

  // Declares --name VALUE, or for a bool the flags --name and --no-name. Do not move the fields while this object
  // exists.
  void add(const std::string& name, Field field, const std::string& help, const Rule& rule = {});
  // The same for options of a single call, which no configuration contains: --out, --force. A bool is a plain flag.
  void add_here(const std::string& name, Field field, const std::string& help, const Rule& rule = {});
  // Adds the public options of a table.
  void add(const models::Table& table);
  void add_here(const models::Table& table);
  // A positional word, in order of declaration: program VALUE. A list takes all remaining words, so declare it last.
  void add_word(const std::string& name, Field field, const std::string& help, const Rule& rule = {});

  // Sets the value that --help shows for a default that depends on other options.
  void show_default(const std::string& name, const std::string& value);

  // Values that users of other tools give to an option, each with the value to write instead, for the error message.
  // {"gpt", ...} also matches GPT-2.
  void advise(const std::string& name, std::vector<std::pair<std::string, std::string>> advice);

  // The heading of --help for the options that are declared next, unless their table names one. The first is "Options".
  void group(const std::string& heading);
  // The options that --help shows, if there are too many. --help-all shows all.
  void first(std::vector<std::string> names);
  // Another paragraph at the end of --help.
  void add_note(const std::string& text);

  bool given(const std::string& name) const;   // on the command line
  bool chosen(const std::string& name) const;  // there, or by the configuration; of what add() made
  std::string called() const;                  // the program as it was called: "build/train", "softalign train"

  // The current values of all options made by add(), in order of declaration, as in config.json.
  std::string config() const;
  // The reverse: options that the command line does not give take their values from this text. data::Error, starting
  // with `where`, if the text is no JSON object, a name is no option made by add(), or a value would be refused on the
  // command line.
  void read_config(const std::string& text, const std::string& where);
  // Names that are ignored in config.json: options of another program, because its config.json may be given.
  void pass_over(std::vector<std::string> names);
  // Returns the config.json to read if --config is not given. It is called after parsing; "" means none.
  void default_config(std::function<std::string()> path);
  // Returns defaults that follow from other options, in the form of config.json. It is called when the other options
  // are known. The defaults apply to options that neither command line nor configuration gives. "{}" means none.
  void own_defaults(std::function<std::string()> values);

  // Parses options, reads --config, sets the number of threads, prints program and BLAS on stderr, and runs `body`.
  // Returns the exit status: that of `body`; 0 after --help and --version; 2 for wrong usage; 1 for any other
  // exception, with its message on stderr, and for a standard output that could not be written.
  int run(int argc, char** argv, const std::function<int()>& body);

 private:
  struct Parser;
  void declare(const std::string& name, Field field, const std::string& help, const Rule& rule, bool is_pair);
  int act(int argc, char** argv, const std::function<int()>& body);
  void parse(int argc, char** argv);
  void check_named() const;
  void check_words() const;
  models::Table not_given() const;
  void check_name(const std::string& name, const std::string& where) const;
  void help(bool all) const;

  std::unique_ptr<Parser> parser_;
  CommonOptions& common_;
  std::string config_;
  std::vector<std::string> open_;  // names that nobody has chosen
  std::function<std::string()> default_config_, own_defaults_;
};

}  // namespace softalign::apps
