// A YAML file as our own small tree: every node knows where it stands, nothing is typed yet.
//
// Invariants  1. a map has as many keys as children, no key twice; a sequence has children only; a
// scalar
//                has text only.  2. `Empty` is a key or dash without a value.  3. marks count from
//                1, columns in code points; an empty value carries the mark of its key.
// Threads     a value, free of shared state.
//
//   if (const Node* grace = find(preemption, "grace")) use(grace->text);
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stint::codec {

// A place in one of the files that are read together.
struct Mark {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  friend auto operator<=>(const Mark&, const Mark&) = default;
};

struct Key {
  std::string text;
  Mark mark;
};

enum class NodeKind : std::uint8_t { Empty, Scalar, Map, Sequence };

struct Node {
  NodeKind kind = NodeKind::Empty;
  bool quoted = false;  // a scalar in quotes is a text, whatever it looks like
  Mark mark;
  std::string text;
  std::vector<Key> keys;
  std::vector<Node> children;

  [[nodiscard]] bool is_scalar() const { return kind == NodeKind::Scalar; }
  [[nodiscard]] bool is_map() const { return kind == NodeKind::Map; }
  [[nodiscard]] bool is_sequence() const { return kind == NodeKind::Sequence; }
  // Whether it is the plain (not quoted) word.
  [[nodiscard]] bool is_word(std::string_view word) const {
    return is_scalar() && !quoted && text == word;
  }
};

// The value of `key`, or nullptr: not a map, no such key. Linear.
[[nodiscard]] const Node* find(const Node& map, std::string_view key);

// The same, but only if the value is of that kind.
[[nodiscard]] const Node* find(const Node& map, std::string_view key, NodeKind kind);

// Where `key` stands in the map; the map's own mark if it is absent.
[[nodiscard]] Mark key_mark(const Node& map, std::string_view key);

// The base with the overlay laid over it: maps merge key by key, anything else is replaced.
// Whatever the overlay mentions carries the overlay's marks, so that an error points at what was
// written last.
[[nodiscard]] Node merged(Node base, const Node& overlay);

}  // namespace stint::codec
