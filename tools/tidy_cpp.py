"""Just enough reading of C++ for tidy.py: text without comments and strings, and where functions begin and end."""

import re

_TOKEN = re.compile(
    r'//[^\n]*'
    r'|/\*.*?\*/'
    r'|R"(?P<mark>[^(\s]{0,16})\(.*?\)(?P=mark)"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'",
    re.S)


def strip_comments_and_strings(text):
    """The text with comments blanked and string literals emptied; every line keeps its number."""
    def blank(match):
        found = match[0]
        newlines = "\n" * found.count("\n")
        return newlines if found.startswith("/") else '""' + newlines
    return _TOKEN.sub(blank, text)


def function_lengths(text):
    """[(line, length in lines)] of the functions in namespaces and classes; lambdas count with their function."""
    bare = strip_comments_and_strings(text)
    bare = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: "\n" * m[0].count("\n"), bare, flags=re.M)
    functions = []
    depth_of_function = None
    start = 0
    depth = 0
    head = 0  # where the declaration before the next brace begins
    line = 1
    for i, c in enumerate(bare):
        if c == "\n":
            line += 1
        elif c == "{":
            if depth_of_function is None and _is_function(bare[head:i]):
                depth_of_function, start = depth, line
            depth += 1
            head = i + 1
        elif c == "}":
            depth -= 1
            if depth_of_function == depth:
                functions.append((start, line - start + 1))
                depth_of_function = None
            head = i + 1
        elif c == ";":
            head = i + 1
    return functions


def _is_function(head):
    """Does this text before a brace declare a function (and no namespace, type or initialiser)?"""
    if re.search(r"\b(namespace|enum)\b|=\s*$|\bextern\s*\"\"\s*$", head):
        return False
    if re.search(r"\b(class|struct|union)\s+\w[\w:]*\s*(final\s*)?(:[^:]|$)", head.strip()):
        return False
    return re.search(r"\)\s*(const|noexcept|override|final|&|mutable|->[^;]*|:[^;]*)*\s*$", head) is not None
