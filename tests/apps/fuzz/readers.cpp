#include "tests/apps/fuzz/readers.h"

#include <zlib.h>

#include "apps/reproduction/runner.h"
#include "apps/run/provenance.h"
#include "apps/run/run_folder.h"
#include "apps/training/metrics.h"
#include "apps/training/recorded_pairs.h"
#include "data/alignment/formats/formats.h"
#include "data/alignment/lexicon.h"
#include "data/corpus/corpus.h"
#include "data/corpus/naacl.h"
#include "data/corpus/readers.h"
#include "data/corpus/vocabulary.h"
#include "data/grammar/read_grammar.h"
#include "data/grammar/sampler.h"
#include "data/io/files.h"
#include "data/io/safetensors.h"
#include "data/pictures/captions.h"
#include "data/pictures/picture_file.h"
#include "data/sentence_pairs/sentence_pairs.h"
#include "data/stories/story_corpus.h"
#include "data/text/subwords.h"
#include "data/text/tokenizer.h"
#include "data/text/truecasing.h"
#include "models/checkpoint.h"
#include "models/config.h"
#include "tests/folders.h"
#include "tests/pictures/png_chunks.h"
#include "tests/records.h"
#include "tests/temporary.h"

using namespace softalign;

namespace fuzz {

namespace {

using Files = std::vector<std::string>;

std::string file(const std::string& name) { return testing::source_folder() + "/" + name; }
std::string contents(const std::string& name) { return data::read_bytes(file(name)); }

const std::string old_run = "tests/apps/run/old_run/";

std::string zipped(const std::string& text) {
  const TemporaryFolder folder;
  const gzFile zip = gzopen(folder.file("z").c_str(), "wb");
  gzwrite(zip, text.data(), static_cast<unsigned>(text.size()));
  gzclose(zip);
  return data::read_bytes(folder.file("z"));
}

std::string segmenter() {
  const TemporaryFolder folder;
  data::Segmenter::train({{"un", "accord"}, {"le", "projet", "militaire"}}, {data::SubwordModel::unigram, 25})
      .save(folder.file("m"));
  return data::read_bytes(folder.file("m"));
}

// The file has no checksum, so that mutations reach the checks behind the checksum.
std::string tensors(const std::string& header, size_t bytes) {
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + header + std::string(bytes, '\1');
}

std::vector<data::Record> records() { return testing::read_records(file(old_run + "expected/align.jsonl")); }

std::vector<data::Pair> pairs_of(const std::vector<data::Record>& from) {
  std::vector<data::Pair> pairs;
  for (const data::Record& r : from) pairs.push_back({.source = r.source, .target = r.target, .gold = {}, .tags = {}});
  return pairs;
}

Reader of_format(const data::Format& format) {
  std::string seed;
  for (const data::Record& record : records()) seed += data::write(format, record);
  const auto read = [&format, pairs = pairs_of(records())](const std::string& path) {
    for (const data::Record& record :
         data::read_alignments(path, format, format.words ? std::vector<data::Pair>{} : pairs))
      data::write(format, record);
  };
  return {"alignments as " + format.name(), read, {seed}};
}

void tokenise(const std::string& path) {
  for (const std::string& line : data::read_lines(path))
    for (const auto scheme : {data::Tokenization::words, data::Tokenization::characters, data::Tokenization::spaces}) {
      data::detokenize(data::tokenize(line, {scheme, true}), {scheme, true});
      data::place_tokens(line, {scheme, true});
    }
}

void draw(const std::string& path) {
  data::SampleOptions options;
  options.pairs = 2;
  options.max_length = 6;
  data::sample_corpus(data::read_grammar(path), options);
}

void read_tsv(const std::string& path) {
  data::CorpusOptions options;
  options.source = options.target = [](std::string_view line) { return data::tokenize(line); };
  data::format_tsv(data::read_tsv(path, options).pairs);
}

// The file `path` may name the picture p.ppm.
void read_captions(const std::string& path) {
  const TemporaryFolder folder;
  put_file(folder.file("p.ppm"), "P6 2 2 255\n" + std::string(12, 'x'));
  put_file(folder.file("t.tsv"), data::read_bytes(path));
  data::read_captions(folder.file("t.tsv"), {.height = 4, .width = 4, .rows = 2, .columns = 2});
}

// Reads the file as it is, and also with corrected checksums, so that mutations reach the checks behind the checksums.
void look_at(const std::string& path) {
  const TemporaryFolder folder;
  const std::string mended = folder.file("mended", testing::with_checksums(data::read_bytes(path)));
  try {
    data::scaled(data::read_picture(mended), 5, 7);
  } catch (const std::runtime_error&) {
  }
  data::scaled(data::read_picture(path), 5, 7);
}

const std::string evaluation = R"({"all":{"perplexity":3,"bleu":9.5,"exact_match":1,"entropy":0.5},)"
                               R"("by_length":{"1-5":{"pairs":3,"bleu":7}},"by_tag":{}})";

// Replaces one file of a run folder by the mutated file, then reads the run's outcome.
Reader of_outcome(const std::string& name, const std::string& seed) {
  const auto read = [name](const std::string& path) {
    const TemporaryFolder run;
    put_file(run.file("evaluation.json"), evaluation);
    for (const std::string whole : {"metrics.jsonl", "timing.jsonl", "model.safetensors"})
      put_file(run.file(whole), contents(old_run + "run/" + whole));
    put_file(run.file(name), data::read_bytes(path));
    apps::read_outcome(run.path.string());
  };
  return {"outcome, " + name, read, {seed}};
}

void read_config(const std::string& path) {
  apps::TrainOptions options;
  const std::string text = data::read_bytes(path);
  models::names_in_config(text, path);
  models::read_config(table(options), text, path);
}

}  // namespace

std::vector<Reader> readers() {
  const std::string text = contents(old_run + "corpus/valid.tsv");
  const Files tsv{text, "le chat noir\tthe black cat\t0-0 1-2 2?1\tanimal,colour\n"};
  std::vector<Reader> all{
      {"lines", [](const std::string& path) { data::read_lines(path); }, {text, zipped(text)}},
      {"tokenizer",
       tokenise,
       {text, "M. Dupont's l'été, e.g. $3.50 -- a@b.fr ... 日本語です。 👩‍👩‍👧 e\u0301\n"}},
      {"corpus", read_tsv, tsv},
      {"gold links of NAACL",
       [](const std::string& path) {
         data::read_naacl(path, data::read_lines(path), {{3, 3}, {2, 2}});
       },
       {"1 1 1 S\n1 2 3 P\n2 1 2\n", "0001 1 1 S\n0002 2 2 P 0.7\n"}},
      {"captions", read_captions, {"p.ppm\ta red circle\t0,0,1,2-1 1,1,1,1-2\tred,two\np.ppm\tnothing\n"}},
      {"stories",
       [](const std::string& path) { data::read_stories(path); },
       {"mary went out | it rained\twhere is mary ?\tout\t0 1\tmoves\na\tb\tc\n"}},
      {"sentence pairs",
       [](const std::string& path) { data::read_sentence_pairs(path); },
       {"a red dog\tan animal\tyes\t0-0 2?1\tshort\na\tb\tc\n"}},
      {"texts", [](const std::string& path) { data::read_texts(path, false); }, tsv},
      {"side by side",
       [](const std::string& path) { data::read_parallel(path, path, path); },
       {"0-0 1-1\n0-0 0?1\n", "a b\n"}},
      {"vocabulary",
       [](const std::string& path) { data::Vocabulary::load(path).hash(); },
       {contents(old_run + "run/source.vocab")}},
      {"capitals",
       [](const std::string& path) { data::format_truecase_model(data::read_truecase_model(path)); },
       {"paris\tParis\n"}},
      {"lexicon", [](const std::string& path) { data::read_lexicon(path); }, {"chat\tcat\t0.9\nnoir\tblack\t.5\n"}},
      {"table",
       [](const std::string& path) { data::read_table(path); },
       {"\tthe\t.5\nchat\tcat\t0.9\nchat\tkitty\t.1\n"}},
      {"pieces",
       [](const std::string& path) {
         data::Segmenter::load(path).segment({"un", "militaire", "zz"});
       },
       {segmenter()}},
      {"grammar", draw, {contents("data/tasks/reverse.grammar"), contents("data/tasks/dates.grammar")}},
      {"records",
       [](const std::string& path) { testing::read_records(path); },
       {contents(old_run + "expected/align.jsonl"), contents(old_run + "expected/beam.jsonl"),
        contents("tests/data/alignment/kinds.jsonl")}},
      {"tensors",
       [](const std::string& path) { data::read_safetensors(path); },
       {tensors(R"({"W":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},"__metadata__":{"a":"b"},)"
                R"("n":{"dtype":"I64","shape":[],"data_offsets":[24,32]}})",
                32)}},
      {"checkpoint",
       [](const std::string& path) { models::load_checkpoint(path), models::problem_of_format(path); },
       {contents(old_run + "run/model.safetensors"), contents(old_run + "run/last.safetensors")}},
      {"recorded pairs",
       [](const std::string& path) { apps::parse_recorded(data::read_bytes(path), path); },
       {"9 8\n\n4 5\t6\t0-0 1-0\tline 3: a b\n7\t7\t\tline 4: c\n\n1\t1 1\t\tline 1: ?\n"}},
      {"provenance",
       [](const std::string& path) {
         const TemporaryFolder run;
         put_file(run.file("provenance.json"), data::read_bytes(path));
         apps::read_provenance({run.path.string()});
       },
       {R"({"schema":"softalign-provenance/1","folder":"/here","training":{"files":["a/train.tsv"],"examples":3,)"
        R"("hash":"0123456789abcdef"},"validation":{"files":["b"],"examples":1,"hash":"fedcba9876543210"}})"}},
      {"configuration", read_config, {contents(old_run + "run/config.json")}},
      {"picture",
       look_at,
       {data::png({2, 3, std::vector<std::uint8_t>(18, 7)}), "P6 1 2 # two\n255\n123456", "P5 2 1 999\n\1\2\3\4",
        contents("tests/pictures/jpeg/grey.jpg"), contents("tests/pictures/jpeg/colours.jpg"),
        contents("tests/pictures/jpeg/progressive.jpg"), contents("tests/pictures/jpeg/cmyk.jpg"),
        testing::png_of(2, 2, 8, 6, std::string("\0\1\2\3\4\5\6\7\10\1\1\2\3\4\5\6\7\10", 18)),
        testing::png_of(2, 1, 4, 3, std::string("\0\1", 2),
                        testing::chunk("PLTE", "abcdef") + testing::chunk("tRNS", "x"), 1)}},
      {"learning curve",
       [](const std::string& path) { apps::read_curve(path), apps::read_journal(path); },
       {contents(old_run + "run/metrics.jsonl")}},
      of_outcome("evaluation.json", evaluation),
      of_outcome("timing.jsonl", contents(old_run + "run/timing.jsonl")),
  };
  for (const data::Format& format : data::formats()) all.push_back(of_format(format));
  return all;
}

}  // namespace fuzz
