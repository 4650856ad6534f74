#include "data/stories/synthetic_stories.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>

#include "data/io/quoted.h"
#include "data/stories/internal/moves.h"

namespace softalign::data {

namespace {

using Words = std::vector<std::string>;
// What suits what, how that is said, and how either is asked for.
struct Facts {
  Words methods, uses, said, asked_for_method, asked_for_use;
};
const Facts english{
    {"convolution", "recurrence", "attention", "regression", "clustering", "boosting", "search", "dropout", "embedding",
     "sampling"},
    {"images", "speech", "translation", "text", "tables", "groups", "games", "ranking", "words", "noise"},
    {"{0} is good for {1}", "for {1} people use {0}", "{1} are a case for {0}", "{0} suits {1}"},
    {"what is good for {0}", "what suits {0}", "what do people use for {0}"},
    {"what is {0} good for", "where do people use {0}"}};
const Facts chinese{{"卷积", "循环", "注意力", "回归", "聚类", "提升", "搜索", "随机失活", "嵌入", "采样"},
                    {"图像处理", "语音识别", "机器翻译", "文本分类", "表格", "分组", "游戏", "排序", "词语", "降噪"},
                    {"{0} 适合 {1}", "{1} 用 {0}", "{0} 对 {1} 很 好", "做 {1} 的 人 用 {0}"},
                    {"什么 适合 {0}", "{0} 用 什么", "什么 对 {0} 很 好"},
                    {"{0} 适合 什么", "哪里 用 {0}"}};

Story draw_facts(const Facts& facts, size_t n, autograd::Random& random) {
  const Words method = random.some_of(facts.methods, n), use = random.some_of(facts.uses, n);
  Story story;
  for (size_t i = 0; i < n; ++i)
    story.sentences.push_back(split_words(fmt::format(fmt::runtime(random.one_of(facts.said)), method[i], use[i])));
  const size_t i = random.below(n);
  const bool for_method = random.below(2) == 0;
  const std::string& question = random.one_of(for_method ? facts.asked_for_method : facts.asked_for_use);
  story.question = split_words(fmt::format(fmt::runtime(question), for_method ? use[i] : method[i]));
  story.answer = for_method ? method[i] : use[i];
  story.gold = {i};
  return story;
}

}  // namespace

Story draw_story(const std::string& task, size_t sentences, autograd::Random& random) {
  const bool facts = task == "facts" || task == "facts-zh";
  if (!facts && task != "one" && task != "two")
    throw std::invalid_argument(
        fmt::format("unknown kind of story {}; known: facts facts-zh one two", in_quotes(task)));
  if (sentences < fewest_sentences || (facts && sentences > most_facts))
    throw std::invalid_argument(fmt::format("a story of {} sentences; {} has from {}{}", sentences, task,
                                            fewest_sentences, facts ? fmt::format(" to {}", most_facts) : ""));
  if (facts) return draw_facts(task == "facts" ? english : chinese, sentences, random);
  return draw_moves(task == "two", sentences, random);
}

std::vector<std::string> story_words() {
  std::set<std::string> words(english.methods.begin(), english.methods.end());
  words.insert(english.uses.begin(), english.uses.end());
  for (const Words& patterns : {english.said, english.asked_for_method, english.asked_for_use})
    for (const std::string& pattern : patterns)
      for (const std::string& word : split_words(pattern))
        if (word.front() != '{') words.insert(word);
  for (const std::string& word : words_of_moves()) words.insert(word);
  return {words.begin(), words.end()};
}

}  // namespace softalign::data
