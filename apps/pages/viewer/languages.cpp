#include "apps/pages/viewer/languages.h"

#include <filesystem>
#include <map>
#include <utility>

#include "data/corpus/corpus.h"
#include "data/io/files.h"
#include "data/io/own_files.h"
#include "data/io/shipped.h"

namespace softalign::apps {

namespace {

// Returns the names of frequent languages of parallel corpora by their ISO 639-1 codes.
const std::map<std::string, std::string>& names_by_code() {
  static const std::map<std::string, std::string> names{
      {"ar", "Arabic"},     {"bg", "Bulgarian"}, {"cs", "Czech"},      {"da", "Danish"},     {"de", "German"},
      {"el", "Greek"},      {"en", "English"},   {"es", "Spanish"},    {"et", "Estonian"},   {"fi", "Finnish"},
      {"fr", "French"},     {"he", "Hebrew"},    {"hi", "Hindi"},      {"hu", "Hungarian"},  {"it", "Italian"},
      {"ja", "Japanese"},   {"ko", "Korean"},    {"la", "Latin"},      {"lt", "Lithuanian"}, {"lv", "Latvian"},
      {"nl", "Dutch"},      {"pl", "Polish"},    {"pt", "Portuguese"}, {"ro", "Romanian"},   {"ru", "Russian"},
      {"sk", "Slovak"},     {"sl", "Slovene"},   {"sv", "Swedish"},    {"tr", "Turkish"},    {"uk", "Ukrainian"},
      {"vi", "Vietnamese"}, {"zh", "Chinese"}};
  return names;
}

std::string name_by_ending(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  const auto found = ending.empty() ? names_by_code().end() : names_by_code().find(ending.substr(1));
  return found == names_by_code().end() ? "" : found->second;
}

std::optional<Languages> in_folder(const std::string& folder) {
  const std::string file = folder + "/languages";
  if (folder.empty() || !data::exists(file) || !std::filesystem::is_regular_file(file)) return {};
  const data::Tokens names = data::split_words(data::read_named(file, 1000));
  if (names.size() != 2) return {};
  return Languages{names[0], names[1]};
}

std::optional<Languages> languages_of(const CorpusFiles& files) {
  if (!files.tsv.empty()) return in_folder(std::filesystem::path(data::shipped(files.tsv)).parent_path().string());
  const Languages names{name_by_ending(files.source), name_by_ending(files.target)};
  return names.source.empty() || names.target.empty() ? std::nullopt : std::optional(names);
}

}  // namespace

std::optional<Languages> languages_of(const TrainOptions* run, const CorpusFiles& files) {
  std::optional<Languages> names;
  if (run)
    names = !run->data.empty() && run->train.empty() && run->source.empty()
                ? in_folder(data::shipped(run->data))
                : languages_of({.tsv = run->train, .source = run->source, .target = run->target, .alignment = ""});
  if (!names) names = languages_of(files);
  if (names && run && run->swap_sides) std::swap(names->source, names->target);
  return names;
}

}  // namespace softalign::apps
