#!/usr/bin/env python3
"""Style as a test: who may include whom, calls that would break determinism, form of files and changelog.

  tools/tidy.py              checks the tree; prints `path:line: [check] text` for each breach; exit 1 if any
  tools/tidy.py --report     also tells lengths of files and functions (a report, not a limit)
  tools/tidy.py --self-test  plants one breach of each kind in a folder of its own and sees it found

The rules are DESIGN §3 and STYLE §4-§8 in a form that a program can read; HACKING.md explains them.
"""

import argparse
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from tidy_cpp import function_lengths, strip_comments_and_strings  # noqa: E402

# ---------------------------------------------------------------- the table of folders

# What a folder of src/ may include of the others.
SEES = {
    "base": {"base"},
    "model": {"base", "model"},
    "engine": {"base", "model", "engine"},
    "codec": {"base", "model", "codec"},
    "sim": {"base", "model", "engine", "codec", "sim"},
    "store": {"base", "model", "codec", "store"},
    "backend": {"base", "model", "codec", "backend"},
    "service": {"base", "model", "engine", "codec", "store", "backend", "service"},
    "app": {"base", "model", "engine", "codec", "sim", "store", "backend", "service", "app"},
}

# Libraries: how the header's name begins -> folders that may use it, and whether in .cc files only.
# `fmt` and `tl::expected` belong to everyone.
LIBRARIES = {
    "fmt/": (set(SEES), False),
    "tl/": (set(SEES), False),
    "boost/": (set(SEES) - {"model", "codec", "app"}, True),
    "yaml-cpp/": ({"codec"}, True),
    "nlohmann/": ({"codec", "sim"}, True),
    "zlib.h": ({"codec"}, True),
    "zstd.h": ({"codec"}, True),
    "CLI/": ({"app"}, True),
    "unistd.h": ({"app", "store", "backend", "service"}, True),
    "fcntl.h": ({"app", "store", "backend", "service"}, True),
    "sys/": ({"app", "store", "backend", "service"}, True),
}
TEST_LIBRARIES = ("gtest/", "gmock/", "rapidcheck", "benchmark/")

# Standard headers of things that a pure folder must not touch: files, clocks, threads, chance, locale.
IMPURE = {"chrono", "ctime", "time.h", "fstream", "filesystem", "iostream", "cstdio", "stdio.h", "thread", "mutex",
          "shared_mutex", "condition_variable", "atomic", "future", "random", "locale", "csignal"}
PURE_FOLDERS = {"base", "model", "engine", "codec"}
IMPURE_BUT_ALLOWED = {("src/base/assert.cc", "cstdio")}  # prints the failed expression before it aborts

HASH_MAPS = ("unordered_map", "unordered_set", "boost/unordered")
HASH_MAP_HOME = {"src/base/string_index.cc", "src/base/string_index.h"}

# ---------------------------------------------------------------- calls

# (check, pattern, folders of src/ where it is banned, what to do instead). Read without comments and strings.
ALL = set(SEES)
CALLS = [
    ("clock", r"\b(system|steady|high_resolution|utc|file)_clock::now\b"
              r"|\b(gettimeofday|clock_gettime|localtime|gmtime)\s*\(|\btime\s*\(\s*(nullptr|NULL|0)\s*\)",
     ALL - {"service", "app"}, "time is an argument"),
    ("chance", r"\b(std::)?s?rand\s*\(|\brandom_device\b|\bstd::shuffle\b|\bstd::sample\b"
               r"|\b(uniform|normal|exponential|poisson|bernoulli|discrete)_\w*distribution\b"
               r"|\b(mt19937(_64)?|minstd_rand0?|default_random_engine)\b",
     ALL, "use base/rng.h: the library's results differ between machines"),
    ("float", r"\b(float|double)\b|(?<![\w.])\d[\d']*\.\d",
     {"engine", "model"}, "no floating point in a decision: integers, Q32, 128-bit products"),
    ("buffered", r"\bstd::(ranges::)?(inplace_merge|stable_sort|stable_partition)\b",
     ALL, "clang 19 refuses libstdc++ 12's: sort by a total order"),
    ("environment", r"\b(std::)?(getenv|setenv|secure_getenv)\s*\(", ALL - {"app", "service"},
     "settings are arguments"),
    ("output", r"\bstd::(cout|cerr|clog)\b|\b(printf|fprintf|puts|fputs)\s*\(|\bfmt::print\s*\(",
     PURE_FOLDERS | {"sim"}, "return the text; the app prints"),
    ("ownership", r"\bshared_ptr\b", PURE_FOLDERS, "values, references or unique_ptr"),
]
CALLS_ALLOWED = {("src/base/assert.cc", "output")}

# ---------------------------------------------------------------- form

MACHINE_PATH = re.compile(r"(?<![\w.)}\]>*/$-])/(home|root|work|farm)(?![\w-])")
TODO = re.compile(r"\b(TODO|FIXME|XXX)\b(?!`)")
TODO_FORM = re.compile(r"\bTODO\(#\d+\): \S")

BLOB_BYTES_MAX = 512 * 1024
BLOBS = {
    "examples/research/trace.csv.gz": "the workload of the shipped example",
}

CPP = {".cc", ".h"}
LINE_MAX = {".cc": 100, ".h": 100, ".py": 120, ".sh": 120, ".cmake": 120}
FILE_LINES_LOOK, FILE_LINES_MAX, FUNCTION_LINES_LOOK = 400, 800, 70

# Data that may hold any bytes, tabs and broken lines included.
DATA = ("tests/fuzz/corpus/", "tests/golden/", "tests/scenarios/", "examples/")

CHANGE_KINDS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]


class Tree:
    """The files of a checkout and the breaches found in them."""

    def __init__(self, root):
        self.root = Path(root)
        self.breaches = []
        self.files = sorted(self._list())

    def _list(self):
        """Paths below the root as git knows them (new files included), or all where there is no git."""
        if (self.root / ".git").exists():
            command = ["git", "-C", str(self.root), "ls-files", "-coz", "--exclude-standard"]
            try:
                names = subprocess.run(command, check=True, capture_output=True).stdout.decode().split("\0")
                return [name for name in names if name and (self.root / name).exists()]
            except (OSError, subprocess.CalledProcessError):
                pass  # no git command, or a clone owned by somebody else: walk
        found = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if name not in (".git", "build", "out", "__pycache__")]
            found += [str((Path(folder) / name).relative_to(self.root)) for name in names]
        return found

    def breach(self, path, line, check, text):
        self.breaches.append(f"{path}:{line}: [{check}] {text}")

    def text(self, path):
        """The file as text, or None if it is binary."""
        data = (self.root / path).read_bytes()
        if b"\0" in data[:8192]:
            return None
        try:
            return data.decode()
        except UnicodeDecodeError:
            return None


def is_test(path):
    return path.startswith("tests/") or path.endswith(("_test.cc", "_test_util.h", "_for_test.h", "_bench.cc"))


def check_includes(tree, path, code):
    folder = path.split("/")[1] if path.startswith("src/") else None
    for number, line in enumerate(code.split("\n"), 1):
        found = re.match(r'\s*#\s*include\s*([<"])([^">]+)[">]', line)
        if not found:
            continue
        quoted, name = found[1] == '"', found[2]
        if quoted and folder:
            target = name.split("/")[0]
            if "/" not in name or target not in SEES:
                tree.breach(path, number, "include", f'"{name}": write it from src/, as "{folder}/…"')
            elif target not in SEES.get(folder, ALL):
                tree.breach(path, number, "layer", f'{folder} must not see {target}: "{name}"')
        if path.startswith("include/") and quoted:
            tree.breach(path, number, "include", f'"{name}": public headers include <stint/…> only')
        if not quoted and folder:
            check_library(tree, path, number, folder, name)


def check_library(tree, path, number, folder, name):
    if name.startswith(TEST_LIBRARIES):
        if not is_test(path):
            tree.breach(path, number, "library", f"<{name}> belongs to tests")
        return
    if name.startswith(HASH_MAPS) and path not in HASH_MAP_HOME:
        tree.breach(path, number, "hash-map", f"<{name}>: use base/string_index.h or a sorted vector; "
                    "the order of a hash map is nobody's promise")
        return
    if name in IMPURE and folder in PURE_FOLDERS and not is_test(path) and (path, name) not in IMPURE_BUT_ALLOWED:
        tree.breach(path, number, "impure", f"{folder} is pure: no <{name}>")
        return
    for prefix, (folders, source_only) in LIBRARIES.items():
        if name.startswith(prefix) and not is_test(path):
            if folder not in folders:
                tree.breach(path, number, "library", f"<{name}> is not for {folder}")
            elif source_only and path.endswith(".h"):
                tree.breach(path, number, "library", f"<{name}> stays in .cc files")
            return
    known = "/" not in name and "." not in name or any(name.startswith(prefix) for prefix in LIBRARIES)
    if not known:
        tree.breach(path, number, "library", f"<{name}>: say in tools/tidy.py and DEPENDENCIES.md who may use it")


def check_calls(tree, path, code):
    """`code` is without comments and strings."""
    folder = path.split("/")[1] if path.startswith("src/") else None
    for number, line in enumerate(code.split("\n"), 1):
        for check, pattern, folders, advice in CALLS:
            if folder in folders and (path, check) not in CALLS_ALLOWED and re.search(pattern, line):
                if not (is_test(path) and check in ("float", "environment", "output", "clock")):
                    tree.breach(path, number, check, f"{advice}: `{line.strip()[:70]}`")
        if folder and re.search(r"\bcatch\s*\(\s*\.\.\.\s*\)", line) and not path.endswith("/main.cc"):
            tree.breach(path, number, "catch", "catch (...) only in main and at thread tops")
        if folder and re.match(r"\s*#\s*define\s+(?!STINT_)\w", line):
            tree.breach(path, number, "macro", "macros are named STINT_…")
        if folder and re.search(r"\bnamespace\s+stint::\w+::", line):
            tree.breach(path, number, "namespace", "stint::FOLDER, never deeper")


# Names that precompiled headers hide: who uses one includes its header, or the other presets fail.
OWN_INCLUDES = [(r"\bfmt::\w", "fmt/")]


def check_own_includes(tree, path, text, bare):
    header = path.removesuffix(".cc") + ".h"
    for use, prefix in OWN_INCLUDES:
        found = re.search(use, bare) if path.endswith(".cc") else None
        if not found or f"#include <{prefix}" in text:
            continue
        if (tree.root / header).is_file() and f"#include <{prefix}" in (tree.root / header).read_text():
            continue
        tree.breach(path, bare.count("\n", 0, found.start()) + 1, "own-include",
                    f"{found[0]}…: include <{prefix}…> here or in the file's own header")


def check_cpp(tree, path, text):
    bare = strip_comments_and_strings(text)
    # Include names look like strings: those lines are read as written.
    check_includes(tree, path, "\n".join(
        line if re.match(r"\s*#\s*include", plain) else plain
        for line, plain in zip(text.split("\n"), bare.split("\n"))))
    check_calls(tree, path, bare)
    check_own_includes(tree, path, text, bare)
    if path.endswith(".h"):
        if not re.search(r"^#pragma once$", bare, re.M):
            tree.breach(path, 1, "header", "#pragma once is missing")
        if not text.startswith("//"):
            tree.breach(path, 1, "header", "a header opens with its story: a comment")


def check_text(tree, path, text):
    """Form of any text file."""
    suffix = Path(path).suffix
    plain_data = path.startswith(DATA)
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if MACHINE_PATH.search(line):
            tree.breach(path, number, "machine-path", f"a path of one machine: `{line.strip()[:70]}`")
        if plain_data:
            continue
        if TODO.search(line) and not TODO_FORM.search(line) and not path.startswith("tools/tidy"):
            tree.breach(path, number, "todo", "write it as `TODO(#ISSUE): what is to be done`")
        if len(line) > LINE_MAX.get(suffix, 10**6) and "http" not in line:
            tree.breach(path, number, "line-length", f"{len(line)} columns, at most {LINE_MAX[suffix]}")
        if line != line.rstrip():
            tree.breach(path, number, "blank-end", "blanks at the end of the line")
        if "\t" in line and suffix in CPP | {".py", ".cmake", ".yaml", ".json"}:
            tree.breach(path, number, "tab", "a tab; indent with blanks")
    if not plain_data and text and not text.endswith("\n"):
        tree.breach(path, len(lines), "last-line", "the last line has no end")
    if suffix in CPP | {".py", ".sh"} and len(lines) > FILE_LINES_MAX:
        tree.breach(path, 1, "file-length", f"{len(lines)} lines, at most {FILE_LINES_MAX}: it holds a second idea")


def check_mode(tree, path):
    full = tree.root / path
    if full.is_symlink():
        tree.breach(path, 1, "mode", "a symbolic link")
        return
    executable = bool(full.stat().st_mode & stat.S_IXUSR)
    with full.open("rb") as file:
        script = file.read(2) == b"#!"
    if executable and not script:
        tree.breach(path, 1, "mode", "executable, but no script: chmod -x")
    if script and not executable:
        tree.breach(path, 1, "mode", "a script that is not executable: chmod +x")


def check_blob(tree, path):
    size = (tree.root / path).stat().st_size
    if size > BLOB_BYTES_MAX and path not in BLOBS:
        tree.breach(path, 1, "blob", f"{size // 1024} KiB, at most {BLOB_BYTES_MAX // 1024}; "
                    "a reason goes to BLOBS in tools/tidy.py")


def check_changelog(tree, path, text):
    """Keep a Changelog: Unreleased first, then `## [1.2.3] - 2026-01-31`, kinds from the closed list, once each."""
    versions, kinds, entries = [], [], None
    for number, line in enumerate(text.split("\n"), 1):
        if number == 1 and line != "# Changelog":
            tree.breach(path, 1, "changelog", "the first line is `# Changelog`")
        if line.startswith(("## ", "### ")) and entries == 0:
            tree.breach(path, number, "changelog", "the heading above has no entry")
        if line.startswith("## "):
            if not versions and line != "## [Unreleased]":
                tree.breach(path, number, "changelog", "`## [Unreleased]` comes first")
            if versions and not re.fullmatch(r"## \[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", line):
                tree.breach(path, number, "changelog", "want `## [1.2.3] - 2026-01-31`")
            versions.append(line)
            kinds, entries = [], None
        elif line.startswith("### "):
            kind = line[4:]
            if kind not in CHANGE_KINDS:
                tree.breach(path, number, "changelog", f"`{kind}` is none of {', '.join(CHANGE_KINDS)}")
            if kind in kinds:
                tree.breach(path, number, "changelog", f"`{kind}` stands twice in this version")
            kinds.append(kind)
            entries = 0
        elif line.startswith("- "):
            if entries is None:
                tree.breach(path, number, "changelog", "an entry needs a `### Kind` above it")
            else:
                entries += 1
    if not versions:
        tree.breach(path, 1, "changelog", "`## [Unreleased]` is missing")


def check_links(tree, path, text):
    """Relative links of a page lead to files that exist."""
    for number, line in enumerate(text.split("\n"), 1):
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", re.sub(r"`[^`]*`", "", line)):
            if "://" in target or target.startswith("mailto:"):
                continue
            if not (tree.root / path).parent.joinpath(target).exists():
                tree.breach(path, number, "link", f"leads nowhere: {target}")


def check_tree(tree):
    for name in ("LICENSE", "CHANGELOG.md"):
        if name not in tree.files:
            tree.breach(name, 1, "missing", "this file belongs to the tree")
    for path in tree.files:
        check_mode(tree, path)
        check_blob(tree, path)
        if path == "LICENSE" or (text := tree.text(path)) is None:
            continue
        check_text(tree, path, text)
        if path.startswith(("src/", "include/", "tests/", "bench/")) and Path(path).suffix in CPP:
            check_cpp(tree, path, text)
        if path == "CHANGELOG.md":
            check_changelog(tree, path, text)
        if path.endswith(".md"):
            check_links(tree, path, text)


def report(tree):
    """Lengths: what to look at, not what to obey."""
    files, functions = [], []
    for path in tree.files:
        if path.startswith(("src/", "include/")) and Path(path).suffix in CPP and not is_test(path):
            text = tree.text(path)
            files.append((text.count("\n"), path))
            functions += [(length, f"{path}:{line}") for line, length in function_lengths(text)]
    if not files:
        return
    for what, lengths, look in (("file", files, FILE_LINES_LOOK), ("function", functions, FUNCTION_LINES_LOOK)):
        lengths.sort()
        numbers = [length for length, _ in lengths]
        print(f"{what}s: {len(numbers)}, median {numbers[len(numbers) // 2]} lines, "
              f"p90 {numbers[len(numbers) * 9 // 10]}, largest {numbers[-1]}")
        for length, place in reversed(lengths):
            if length > look:
                print(f"  look twice: {length} lines  {place}")


def main():
    parser = argparse.ArgumentParser(description="layering, banned calls and form of the tree")
    parser.add_argument("root", nargs="?", default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--report", action="store_true", help="also tell lengths of files and functions")
    parser.add_argument("--self-test", action="store_true", help="plant one breach of each kind and see it found")
    args = parser.parse_args()
    if args.self_test:
        from tidy_self_test import self_test
        sys.exit(self_test())

    tree = Tree(args.root)
    check_tree(tree)
    if args.report:
        report(tree)
    print("\n".join(tree.breaches), end="\n" if tree.breaches else "")
    print(f"tidy: {len(tree.files)} files, {len(tree.breaches)} breaches")
    sys.exit(1 if tree.breaches else 0)


if __name__ == "__main__":
    main()
