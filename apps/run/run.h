// softalign::Run is a trained model with its vocabularies. You can use it in your own program if you link the library
// softalign::run.
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

// The library throws Error if the folder, one of its files, or a sentence is wrong. The message says what is wrong and
// what to do.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

// A Link connects the target word at position `target` with the source word at position `source`. Positions start at 0.
struct Link {
  std::size_t source, target;
};

// A Translation has a sentence with S source words and its translation with T target words. It also has the attention
// of each target word. The attention comes from the run's decoder, combined with its alignment layer if it was trained
// with train --align.
struct Translation {
  std::string text;                 // the translation as a person reads it
  std::vector<std::string> source;  // (S)
  std::vector<std::string> target;  // (T)
  // Row t has the attention of target word t, and sums to 1. The last row and the last column are the end of the
  // sentence, so the shape is (T+1, S+1). There are only T rows if the translation was cut off at the longest length,
  // and no rows if the model has no attention.
  std::vector<std::vector<float>> matrix;
  // Each target word is linked to the source word with the largest weight. If the end of the sentence has the largest
  // weight, the target word has no link.
  std::vector<Link> links;
  double log_prob = 0;  // ln p(target, end | source)
};

// Only one thread at a time may use a Run. A Run uses several threads itself.
class Run {
 public:
  // Throws Error if there is no such folder, if a file is missing or damaged, or if the files come from different
  // trainings.
  explicit Run(const std::string& folder);
  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;
  ~Run();

  // Returns the most probable translation that beam search of this width finds. A width of 1 is greedy search. A blank
  // sentence has a blank translation. Throws Error if the sentence is not UTF-8, or longer than the run's --max-length.
  Translation translate(const std::string& sentence, std::size_t beam = 1) const;
  // Translates many sentences at once, which is faster. The results are in the order of the sentences.
  std::vector<Translation> translate(const std::vector<std::string>& sentences, std::size_t beam = 1) const;

  // Returns the attention of the model for a given translation. Throws Error if translate() would refuse one of the two
  // texts, or if one of them is blank.
  Translation align(const std::string& sentence, const std::string& translation) const;

 private:
  struct Loaded;
  std::unique_ptr<const Loaded> loaded_;
};

}  // namespace softalign
