// softalign::Run is a trained model with its vocabularies, for your own program. Link to softalign::run.
//
//   const softalign::Run run("runs/demo");                        // a folder that softalign-train has written
//   const softalign::Translation t = run.translate("i love you");
//   std::cout << t.text << '\n';                                  // je t'aime
//   for (const softalign::Link& l : t.links)                      // i je, you t', love aime: one link per line
//     std::cout << t.source[l.source] << ' ' << t.target[l.target] << '\n';
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace softalign {

// ErrorKind is the reason why a call failed. For example, a program can wait for a training if there is no run yet:
//
//   try {
//     const softalign::Run run("runs/demo");
//   } catch (const softalign::Error& error) {
//     if (error.kind() == softalign::ErrorKind::missing_file) return try_again_later();
//     throw;
//   }
enum class ErrorKind {
  bad_data,            // a sentence is not UTF-8, too long or blank; a value in config.json is not possible
  wrong_usage,         // the run is of another task than translation
  missing_file,        // the folder, or a file in it, is not there
  damaged_file,        // a file is cut short or was changed, or the files of the folder do not belong together
  unsupported_format,  // the file of the model has a format or a version that this library does not read
  io_error,            // the system does not let the library read a file: permission, a device in its place
  out_of_memory,       // the model, or the sentences at once, need more memory than the process may take
};

// An Error says that the folder, one of its files, or a sentence is wrong. The message names it and a remedy.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

// The target word at position `target` is aligned to the source word at position `source`, both from 0.
struct Link {
  std::size_t source, target;
};

// A sentence and its translation, with S source and T target words, and the attention of each target word. The attention
// is that of the run's alignment layer (train --align), or of its decoder.
struct Translation {
  std::string text;                        // the translation as a person reads it
  std::vector<std::string> source;         // (S)
  std::vector<std::string> target;         // (T)
  std::vector<std::vector<float>> matrix;  // (T+1, S+1): row t is word t's attention and sums to 1; the last row and
                                           // column are the end of the sentence. T rows only if the translation was cut
                                           // off at the longest length; none if the model has no attention.
  std::vector<Link> links;  // each target word to where it looks most, unless that is the end of the sentence
  double log_prob = 0;      // ln p(target, end | source)
};

// Only one thread at a time may use a Run. A Run uses several threads itself.
class Run {
 public:
  // Throws Error if there is no such folder, if a file is missing or damaged, or if the files do not belong together.
  explicit Run(const std::string& folder);
  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;
  ~Run();

  // Returns the most probable translation that beam search of this width finds; a width of 1 is greedy search. The
  // translation of a blank sentence is blank. Throws Error if the sentence is not UTF-8, or longer than the run's
  // --max-length.
  Translation translate(const std::string& sentence, std::size_t beam = 1) const;
  // Translates many sentences at once, which is faster. Results are in the order of the sentences.
  std::vector<Translation> translate(const std::vector<std::string>& sentences, std::size_t beam = 1) const;

  // Returns the attention of the model for a given translation. Throws Error like translate for either sentence, and if
  // one of them is blank.
  Translation align(const std::string& sentence, const std::string& translation) const;

 private:
  struct Loaded;
  std::unique_ptr<const Loaded> loaded_;
};

}  // namespace softalign
