// Opens a run, and says by its exit status what a script can do about an error.
#include <softalign/run.h>

#include <cstdio>

int main(int count, char** arguments) try {
  if (count != 2) return std::puts("usage: open_run RUN"), 2;
  const softalign::Run run(arguments[1]);
} catch (const softalign::Error& error) {
  std::printf("error: %s\n", error.what());
  switch (error.kind()) {
    case softalign::ErrorKind::missing_file:
      return 3;  // not trained yet: try again later
    case softalign::ErrorKind::damaged_file:
      return 4;  // copy the folder again
    default:
      return 1;
  }
}
