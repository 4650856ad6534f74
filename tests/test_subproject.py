"""softalign as a part of another project: add_subdirectory and alias targets work, and no setting leaks into the other
project."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

BUILD = Path(os.environ["SOFTALIGN_BUILD"])
PROJECT = Path(__file__).resolve().parents[1]

PARENT = """
cmake_minimum_required(VERSION 3.25)
project(parent LANGUAGES CXX)
include(CTest)
add_subdirectory("{project}" softalign)
foreach(ours BUILD_TYPE CXX_STANDARD CXX_EXTENSIONS EXPORT_COMPILE_COMMANDS RUNTIME_OUTPUT_DIRECTORY)
  message(STATUS "${{ours}}: [${{CMAKE_${{ours}}}}]")
endforeach()
foreach(module autograd layers models data run)
  if(NOT TARGET softalign::${{module}})
    message(FATAL_ERROR "no softalign::${{module}}")
  endif()
endforeach()
add_executable(own "{project}/tests/package/three_in_a_row.cpp")
target_link_libraries(own PRIVATE softalign::models)
"""


class Subproject(unittest.TestCase):
    def test_libraries_and_nothing_else(self):
        with tempfile.TemporaryDirectory(dir=BUILD) as temporary:
            folder = Path(temporary)
            (folder / "CMakeLists.txt").write_text(PARENT.format(project=PROJECT))
            compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.M).group(1)
            result = subprocess.run(["cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_CXX_COMPILER={compiler}"],
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False)
            self.assertEqual(result.returncode, 0, result.stdout)
            for ours in ("BUILD_TYPE", "CXX_STANDARD", "CXX_EXTENSIONS", "EXPORT_COMPILE_COMMANDS",
                         "RUNTIME_OUTPUT_DIRECTORY"):
                self.assertIn(f"{ours}: []", result.stdout)
            targets = subprocess.run(["cmake", "--build", folder / "build", "--target", "help"], capture_output=True,
                                     text=True, timeout=300, check=True).stdout
            self.assertIn("softalign_models", targets)
            for absent in ("softalign_apps", "train", "test_autograd", "bench", "course_"):
                self.assertNotRegex(targets, rf"(?m)^(\.\.\. )?{absent}")
            tests = subprocess.run(["ctest", "--test-dir", folder / "build", "-N"], capture_output=True, text=True,
                                   timeout=300, check=True).stdout
            self.assertIn("Total Tests: 0", tests)
            install = (folder / "build/softalign/cmake_install.cmake").read_text()
            self.assertNotIn("softalign-config", install)


if __name__ == "__main__":
    unittest.main()
