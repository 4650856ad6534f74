// This file parses the command line for all programs. A program declares each option once. The parser, --help and
// config.json use this declaration. This file also prints the version of the program and sets its exit status.
#pragma once

#include <exception>
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

// CommandLine has the options of one program. The program declares each option once, with a variable for its value. The
// default value of the option is the value of the variable at the declaration. For example:
//
//   CommandLine line("align", "Aligns ...", {"align --run runs/demo --data data/toy/test.tsv"}, common);
//   line.add("run", &options.run, "the run folder", {.required = true});
//   return line.run(argc, argv, [&] { ...; return 0; });
class CommandLine {
 public:
  // Examples are complete command lines, and --help shows them. A comment may follow an example after two or more
  // spaces.
  CommandLine(const std::string& program, const std::string& description, const std::vector<std::string>& examples,
              CommonOptions& common);
  ~CommandLine();

  // Declares --name VALUE, or for a bool the flags --name and --no-name. `field` points to the variable for the value,
  // and this variable must exist as long as this object.
  void add(const std::string& name, Field field, const std::string& help, const Rule& rule = {});
  // Declares an option that config.json never contains, because it applies to one call of the program only, for example
  // --out or --force. For a bool, it declares only the flag --name.
  void add_here(const std::string& name, Field field, const std::string& help, const Rule& rule = {});
  // Adds the public options of a table.
  void add(const models::Table& table);
  void add_here(const models::Table& table);
  // Declares a positional argument, as in `program VALUE`. Positional arguments are read in the order of declaration. A
  // list takes all remaining words, so declare it last.
  void add_word(const std::string& name, Field field, const std::string& help, const Rule& rule = {});

  // Sets the default value that --help shows for an option. Use it if the default depends on other options.
  void show_default(const std::string& name, const std::string& value);
  // Adds text to the default value that --help shows.
  void extend_default(const std::string& name, const std::string& more);

  // Declares wrong values that users often give to an option, and what to write instead. The error message shows this
  // advice. The comparison ignores case and everything after the letters, so {"gpt", ...} also matches GPT-2.
  void advise(const std::string& name, std::vector<std::pair<std::string, std::string>> advice);

  // Sets a function that returns what to do if the user does not give the required option. The error message ends with
  // this text.
  void advise_if_missing(const std::string& name, std::function<std::string()> advice);

  // Sets the heading under which --help lists the options that are declared after this call. Options that are declared
  // before the first call have the heading "Options". A table of options (models/option_table.h) may also set headings
  // for its options.
  void group(const std::string& heading);
  // Limits --help to the options with these names and the general options. Without this call, --help shows all options.
  // --help-all always shows all of them.
  void first(std::vector<std::string> names);
  // Adds a paragraph at the end of --help.
  void add_note(const std::string& text);

  bool given(const std::string& name) const;  // returns true if the option is on the command line
  // Returns the options on the command line, without the general options of every program, in order of declaration.
  std::vector<std::string> given() const;
  bool chosen(const std::string& name) const;  // ... or, for an option of add(), in the configuration
  std::string called() const;                  // returns the name that the user typed: "build/train", "softalign train"

  // Returns the current values of all options made by add(), in order of declaration, in the format of config.json.
  std::string config() const;
  // Reads the text of a config.json. The options that the command line does not give take their values from the text.
  // Throws data::Error if the text is not a JSON object, if it names an option that add() did not declare, or if the
  // command line would refuse a value. The message starts with `where`.
  void read_config(const std::string& text, const std::string& where);
  // Sets options of another program that read_config() ignores, so that the user may give the config.json of that
  // program.
  void pass_over(std::vector<std::string> names);
  // Sets a function that returns the path of a config.json. The program reads this file if the user does not give
  // --config. The parser calls the function after parsing. If it returns "", there is no such file.
  void default_config(std::function<std::string()> path);
  // Sets a function that returns defaults that follow from other options, in the format of config.json. The parser
  // calls it when the other options are known. These defaults apply to options that neither the command line nor the
  // configuration gives. "{}" means that there are none.
  void own_defaults(std::function<std::string()> values);

  // Parses the options, reads --config, sets the number of threads, prints the versions of the program and of its BLAS
  // library on stderr, and runs `body`. Returns the exit status of `body`, or 0 after --help and --version. Returns 2
  // for wrong usage. Returns 1 after any other exception, or if standard output cannot be written. The message of an
  // exception goes to stderr.
  int run(int argc, char** argv, const std::function<int()>& body);

  // Parses a command line as run() does, and returns the result of `body`. `words` has the command line without the
  // name of the program. A library calls this function, so it prints nothing and throws every error. It changes neither
  // the signal handlers of the process, nor the BLAS kernels, nor the treatment of denormals (tiny floats).
  int call(const std::vector<std::string>& words, const std::function<int()>& body);
  // Returns true if the program has an option that is spelled like this, for example "--no-lowercase".
  bool has(const std::string& spelling) const;

 private:
  struct Parser;
  void declare(const std::string& name, Field field, const std::string& help, const Rule& rule, bool is_pair);
  int act(int argc, char** argv, const std::function<int()>& body);
  void parse(std::vector<std::string> words);
  void choose_threads();
  void check_named() const;
  std::string advice_if_missing(const std::exception& error) const;
  void check_words() const;
  models::Table not_given() const;
  void check_name(const std::string& name, const std::string& where) const;
  void help(bool all) const;

  std::unique_ptr<Parser> parser_;
  CommonOptions& common_;
  std::string config_;
  std::vector<std::string> open_;  // options that neither the command line nor a configuration sets
  std::function<std::string()> default_config_, own_defaults_;
};

}  // namespace softalign::apps
