// A trained run in a program of one's own: a sentence in, its translation and the alignment out.
#include <softalign/run.h>

#include <cstdio>

int main(int count, char** arguments) try {
  if (count != 3) return std::puts("usage: translate_one RUN SENTENCE"), 2;
  const softalign::Run run(arguments[1]);
  const softalign::Translation t = run.translate(arguments[2]);
  std::printf("%s\n", t.text.c_str());
  for (const softalign::Link& link : t.links)
    std::printf("%s - %s %.6f\n", t.source[link.source].c_str(), t.target[link.target].c_str(),
                static_cast<double>(t.matrix[link.target][link.source]));
} catch (const softalign::Error& error) {
  std::printf("error: %s\n", error.what());
  return 1;
}
