#include "apps/pages/report/origin.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "apps/pages/html.h"
#include "apps/pages/sha256.h"
#include "autograd/kernels/blas.h"
#include "data/io/files.h"

namespace softalign::apps {

namespace {

std::string fact(const std::string& name, const std::string& value) {
  return element("dt", {}, text(name)) + element("dd", {}, value) + "\n";
}

std::string code(const std::string& words) { return element("code", {}, text(words)); }

// The first 16 digits of the file's SHA-256.
std::string digest(const std::string& path) {
  std::string digits;
  for (const unsigned byte : sha256(data::read_bytes(path))) digits += fmt::format("{:02x}", byte);
  return digits.substr(0, 16);
}

std::string command_line(const Study& study, const ReproduceOptions& o) {
  std::string words = fmt::format("reproduce {} --seeds {} --out {}", study.name, o.seeds, o.out);
  if (!o.data.empty()) words += " --data " + o.data;
  if (o.epochs > 0) words += fmt::format(" --epochs {}", o.epochs);
  if (o.threads > 0) words += fmt::format(" --threads {}", o.threads);
  return words;
}

// As the kernel calls it; "" where it does not say.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(std::min(line.size(), line.find(':') + 2));
  }
  return "";
}

std::string all_commands(const Study& study, const ReproduceOptions& options) {
  std::istringstream lines(commands_text(study, options));
  std::string markup;
  for (std::string line; std::getline(lines, line);) markup += text(line) + "\n";
  return element("details", {},
                 element("summary", {}, "Every command that was run") + element("pre", {{"tabindex", "0"}}, markup));
}

}  // namespace

std::string origin(const Study& study, const AlignmentPage& alignments, const ReproduceOptions& options) {
  std::string facts =
      fact("this report", code(command_line(study, options)) + "; what is trained already is not trained again");
  facts += fact("seeds", options.seeds == 1 ? "1" : fmt::format("1 to {}", options.seeds));
  facts += fact("version", "softalign " SOFTALIGN_VERSION);
  if (const std::string name = processor(); !name.empty()) facts += fact("written on", text(name));
  facts += fact("linear algebra", text(autograd::describe_blas()));
  std::string files;
  for (const char* name : {"train.tsv", "valid.tsv"}) {
    const std::string path = corpus_folder(options) + "/" + name;
    files += element("div", {}, code(path) + " " + code(digest(path)));
  }
  const std::string test = test_file(study, options);
  files += element("div", {}, code(test) + " " + code(digest(test)));
  facts += fact("corpus, SHA-256", files);
  facts += fact("figures as JSON", element("a", {{"href", study.name + ".json"}}, text(study.name + ".json")));
  if (!alignments.name.empty()) {
    facts += fact("alignments", element("a", {{"href", alignments.name}}, text(alignments.name)) + " of " +
                                    element("a", {{"href", alignments.corpus}}, text(alignments.corpus)));
  }
  return element("dl", {}, facts) + all_commands(study, options);
}

}  // namespace softalign::apps
