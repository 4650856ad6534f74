#include "apps/training/metrics.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "data/io/error.h"
#include "data/io/file_kind.h"
#include "data/io/files.h"
#include "data/io/json.h"
#include "data/io/own_files.h"

namespace softalign::apps {

namespace {

[[noreturn]] void fail(const std::string& path) {
  throw data::Error(data::kind_of_errno(errno), fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

}  // namespace

Journal::Journal(std::string path, std::int64_t length)
    : path_(std::move(path)),
      file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666)),
      length_(length) {
  if (file_ < 0) {
    const int error = errno;
    data::check_own_file(path_);
    errno = error;
    fail(path_);
  }
  struct stat info {};
  if (::fstat(file_, &info) == 0 && !S_ISREG(info.st_mode)) {
    ::close(file_);
    data::check_own_file(path_);
  }
  if (::fstat(file_, &info) != 0 || info.st_size < length || ::ftruncate(file_, length) != 0 ||
      ::lseek(file_, length, SEEK_SET) < 0) {
    const bool too_short = info.st_size < length;
    ::close(file_);
    if (!too_short) fail(path_);
    throw data::Error(data::ErrorKind::damaged_file,
                      fmt::format("{} has {} bytes, but had {} when the training state was saved. The file was changed "
                                  "since then, so the training cannot be resumed. Start again with --force",
                                  path_, info.st_size, length));
  }
}

Journal::~Journal() { ::close(file_); }

void Journal::append(const std::string& line) {
  const std::string bytes = line + "\n";
  if (const int error = data::write_all(file_, bytes); error != 0) {
    throw data::Error(data::kind_of_errno(error), fmt::format("cannot write {}: {}", path_, std::strerror(error)));
  }
  length_ += static_cast<std::int64_t>(bytes.size());
}

std::int64_t Journal::sync() {
  if (::fsync(file_) != 0) fail(path_);
  return length_;
}

std::vector<std::string> read_journal(const std::string& path, std::size_t bytes) {
  if (!data::exists(path)) return {};
  data::check_regular(path);
  const std::string text = data::read_bytes(path).substr(0, bytes);
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(text.substr(begin, end - begin));
  return lines;
}

std::string EpochReport::metrics(const TrainingTask& task) const {
  nlohmann::ordered_json values{{"epoch", epoch}, {"steps", steps}};
  const nlohmann::ordered_json training = task.training_scores(losses);
  for (const auto& [name, value] : training.items()) values["train_" + name] = value;
  values["valid"] = task.validation_scores();
  values["learning_rate"] = learning_rate;
  values["gradient_norm"] = gradient_norm;
  values["best"] = best;
  return values.dump();
}

std::string EpochReport::timing() const {
  return fmt::format(R"({{"epoch":{:7},"train_seconds":{:12.3f},"seconds":{:12.3f},"words_per_second":{:12.1f}}})",
                     epoch, train_seconds, seconds, words_per_second);
}

namespace {

// JSON has no NaN, so a diverged training wrote null.
double number(const nlohmann::ordered_json& value) { return value.is_null() ? NAN : value.get<double>(); }

}  // namespace

std::vector<CurvePoint> read_curve(const std::string& metrics_file, std::size_t bytes) {
  std::vector<CurvePoint> points;
  for (const std::string& line : read_journal(metrics_file, bytes)) {
    try {
      const auto epoch = data::parse_json(line);
      const auto& valid = epoch.at("valid");
      CurvePoint point{epoch.at("epoch"), number(valid.at("loss")), {}, {}, epoch.value("best", false)};
      const auto fraction = [&](const char* name) {
        const auto found = valid.find(name);
        return found == valid.end() || found->is_null() ? std::optional<double>() : found->get<double>();
      };
      if (const auto exact = fraction("exact_match")) point.exact = *exact / 100;
      point.accuracy =
          fraction(valid.contains("pointing") ? "pointing" : "attention_accuracy");  // old runs have "pointing"
      if (const auto& links = valid.at("alignment"); !links.is_null()) point.aer = links.at("aer").get<double>();
      if (const auto& bleu = valid.at("bleu"); !bleu.is_null()) point.bleu = bleu.get<double>();
      points.push_back(point);
    } catch (const std::exception&) {
      throw data::Error(data::ErrorKind::damaged_file,
                        fmt::format("{}:{}: train did not write this line, so the file is damaged. Copy the file again",
                                    metrics_file, points.size() + 1));
    }
  }
  return points;
}

}  // namespace softalign::apps
