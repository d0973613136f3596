"""Self-test of tidy.py: a small clean tree, and one tree more for each breach that must be found."""

import tempfile
from pathlib import Path

import tidy

CLEAN = {
    "LICENSE": "Apache License\n",
    "CHANGELOG.md": "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [0.1.0] - 2026-01-31\n",
    "README.md": "See [the licence](LICENSE#top) and `[x](nowhere)`.\n",
    "run": "#!/bin/sh\n",
    "src/base/a.h": "// A story with a double and a \"string\".\n#pragma once\n#include <fmt/format.h>\n"
                    "#include \"base/b.h\"\n",
    "src/base/string_index.cc": "#include <boost/unordered/unordered_flat_map.hpp>\n",
    "src/engine/turn/rank.cc": "#include <vector>\n#include \"model/state.h\"\n// rand() is banned, and 1.5 too\n"
                               "const char* kText = \"double rand() 0.5 catch (...)\";\nint big = 1'000'000;\n",
    "src/engine/turn/rank_test.cc": "#include <gtest/gtest.h>\n#include <filesystem>\ndouble expected = 1.5;\n",
    "src/codec/yaml/parse.cc": "#include <yaml-cpp/parser.h>\n#include \"codec/yaml/parse.h\"\n// TODO(#12): more\n",
    "src/service/clock.cc": "auto now = std::chrono::system_clock::now();\n",
    "src/app/main.cc": "int main() { try { run(); } catch (...) { return 1; } }\n",
    "tests/fuzz/corpus/yaml/tab": "a:\t1   \n\nno end",
}
EXECUTABLE = {"run"}

# (check that must speak, file, its whole new text)
PLANTS = [
    ("layer", "src/base/a.cc", '#include "model/state.h"\n'),
    ("layer", "src/model/a.cc", '#include "engine/engine.h"\n'),
    ("layer", "src/engine/a.cc", '#include "codec/diagnostic.h"\n'),
    ("layer", "src/engine/a_test.cc", '#include "codec/diagnostic.h"\n'),
    ("layer", "src/codec/a.cc", '#include "engine/engine.h"\n'),
    ("layer", "src/sim/a.cc", '#include "store/store.h"\n'),
    ("layer", "src/store/a.cc", '#include "engine/engine.h"\n'),
    ("layer", "src/store/b.cc", '#include "backend/backend.h"\n'),
    ("layer", "src/service/a.cc", '#include "sim/simulator.h"\n'),
    ("include", "src/base/a.cc", '#include "b.h"\n'),
    ("include", "src/base/a.cc", '#include "../model/state.h"\n'),
    ("include", "include/stint/a.h", '// Story.\n#pragma once\n#include "base/ids.h"\n'),
    ("library", "src/model/a.cc", "#include <boost/container/flat_map.hpp>\n"),
    ("library", "src/base/c.h", "// Story.\n#pragma once\n#include <boost/container/flat_map.hpp>\n"),
    ("library", "src/codec/c.h", "// Story.\n#pragma once\n#include <yaml-cpp/parser.h>\n"),
    ("library", "src/engine/a.cc", "#include <nlohmann/json.hpp>\n"),
    ("library", "src/engine/a.cc", "#include <unistd.h>\n"),
    ("library", "src/base/a.cc", "#include <gtest/gtest.h>\n"),
    ("library", "src/app/a.cc", "#include <unheard/of.h>\n"),
    ("impure", "src/engine/a.cc", "#include <chrono>\n"),
    ("impure", "src/engine/a.cc", "#include <thread>\n"),
    ("impure", "src/codec/a.cc", "#include <fstream>\n"),
    ("impure", "src/codec/a.cc", "#include <filesystem>\n"),
    ("impure", "src/model/a.cc", "#include <random>\n"),
    ("hash-map", "src/engine/a.cc", "#include <unordered_map>\n"),
    ("hash-map", "src/app/a.cc", "#include <unordered_set>\n"),
    ("hash-map", "src/base/a.cc", "#include <boost/unordered/unordered_flat_map.hpp>\n"),
    ("clock", "src/sim/a.cc", "auto t = std::chrono::steady_clock::now();\n"),
    ("clock", "src/engine/a.cc", "auto t = time(nullptr);\n"),
    ("chance", "src/sim/a.cc", "int x = rand();\n"),
    ("chance", "src/sim/a.cc", "srand(1);\n"),
    ("chance", "src/sim/a.cc", "std::random_device device;\n"),
    ("chance", "src/app/a.cc", "std::shuffle(a, b, c);\n"),
    ("chance", "src/sim/a_test.cc", "std::uniform_int_distribution<int> d;\n"),
    ("float", "src/engine/a.cc", "double x = f();\n"),
    ("float", "src/model/a.h", "// Story.\n#pragma once\nfloat x();\n"),
    ("float", "src/engine/a.cc", "auto x = 0.5;\n"),
    ("buffered", "src/engine/a.cc", "std::inplace_merge(a, b, c);\n"),
    ("buffered", "src/sim/a_test.cc", "std::stable_sort(a, b);\n"),
    ("own-include", "src/base/c.cc", "auto text = fmt::format(x);\n"),
    ("environment", "src/codec/a.cc", 'auto x = std::getenv("X");\n'),
    ("output", "src/engine/a.cc", "std::cerr << 1;\n"),
    ("output", "src/sim/a.cc", 'fmt::print("x");\n'),
    ("ownership", "src/model/a.cc", "std::shared_ptr<int> p;\n"),
    ("catch", "src/service/a.cc", "void f() { try { g(); } catch (...) {} }\n"),
    ("macro", "src/base/a.cc", "#define MAX 3\n"),
    ("namespace", "src/engine/a.cc", "namespace stint::engine::turn {}\n"),
    ("header", "src/base/c.h", "// Story.\nint x();\n"),
    ("header", "src/base/c.h", "#pragma once\nint x();\n"),
    ("todo", "src/base/a.cc", "// " + "TODO: later\n"),
    ("todo", "cmake/a.cmake", "# " + "FIXME\n"),
    ("machine-path", "docs/a.md", "Look in `" + "/" + "home/ann/x`.\n"),
    ("machine-path", "src/base/a.cc", 'auto p = "' + "/" + 'work/x";\n'),
    ("machine-path", "tests/scenarios/1/a.yaml", "# " + "/" + "root/x\n"),
    ("line-length", "src/base/a.cc", "// " + "x" * 100 + "\n"),
    ("blank-end", "src/base/a.cc", "int x; \n"),
    ("tab", "src/base/a.cc", "\tint x;\n"),
    ("last-line", "src/base/a.cc", "int x;"),
    ("file-length", "src/base/a.cc", "int x;\n" * 801),
    ("mode", "tools/a.sh", "#!/bin/sh\n"),
    ("mode", "run", "echo no script\n"),
    ("blob", "docs/a.bin", "x" * (512 * 1024 + 1) + "\n"),
    ("link", "docs/a.md", "[x](nowhere.md)\n"),
    ("missing", "LICENSE", None),
    ("missing", "CHANGELOG.md", None),
    ("changelog", "CHANGELOG.md", "# History\n\n## [Unreleased]\n"),
    ("changelog", "CHANGELOG.md", "# Changelog\n"),
    ("changelog", "CHANGELOG.md", "# Changelog\n\n## [0.1.0] - 2026-01-31\n"),
    ("changelog", "CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n## 0.1.0\n"),
    ("changelog", "CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n### News\n\n- A thing.\n"),
    ("changelog", "CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A.\n\n### Added\n\n- B.\n"),
    ("changelog", "CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n- A thing.\n"),
    ("changelog", "CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n### Added\n\n## [0.1.0] - 2026-01-31\n"),
]

FUNCTIONS = """\
namespace a {
struct S {
  int f() const {
    return 1;
  }
  int x{};
};
S::S(int y) : x(y) {
}
template <class T>
auto g(T t) -> int {
  auto h = [&](int z) {
    if (z) {
    }
  };
}
int table[] = {1, 2};
}
"""


def _breaches(files):
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            if text is None:
                continue
            full = Path(folder) / path
            full.parent.mkdir(parents=True, exist_ok=True)
            full.write_text(text)
            full.chmod(0o755 if path in EXECUTABLE else 0o644)
        tree = tidy.Tree(folder)
        tidy.check_tree(tree)
        return tree.breaches


def self_test():
    """Number of plants that were not found, plus false alarms; prints each."""
    wrong = [f"false alarm: {breach}" for breach in _breaches(CLEAN)]
    for check, path, text in PLANTS:
        found = _breaches({**CLEAN, path: text})
        if not any(breach.startswith(f"{path}:") and f"[{check}]" in breach for breach in found):
            wrong.append(f"not found: [{check}] in {path}: {text!r:.80}")
    lengths = tidy.function_lengths(FUNCTIONS)
    if lengths != [(3, 3), (8, 2), (11, 6)]:
        wrong.append(f"lengths of functions: {lengths}")
    print("\n".join(wrong), end="\n" if wrong else "")
    print(f"tidy self-test: {len(PLANTS)} plants, {len(wrong)} wrong")
    return 1 if wrong else 0
