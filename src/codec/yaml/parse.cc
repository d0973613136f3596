#include "codec/yaml/parse.h"

#include <algorithm>
#include <exception>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "base/quote.h"
#include "codec/yaml/scan.h"

namespace stint::codec {

namespace {

using base::quote;

// Thrown and caught in this file only: a cap is reached, nothing more is read.
struct Stop : std::exception {};

class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::string_view text, LineIndex& lines, std::uint32_t file, Complaints& complaints)
      : text_(text), lines_(lines), file_(file), complaints_(complaints) {}

  [[nodiscard]] std::optional<Node> take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ == 1) return;
    complaints_.error(place(mark), "a second document starts here (one file holds one document)");
    throw Stop();
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_properties(mark, "?", anchor);
    Node node;
    node.mark = place_of_null(mark);
    if (expects_key()) {
      complaints_.error(node.mark, "a key is missing here (write `key: value`)");
      set_key({}, true);
      return;
    }
    add(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    complaints_.error(place(mark),
                      "aliases (*name) are not part of this dialect (write the value again)");
    Node node;
    node.kind = NodeKind::Scalar;
    node.mark = place(mark);
    if (expects_key()) {
      set_key({}, true);
    } else {
      add(std::move(node));
    }
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_properties(mark, tag, anchor);
    if (value.size() > kScalarBytesMax) {
      complaints_.error(place(mark), fmt::format("this text has {} bytes, at most {} are read",
                                                 value.size(), kScalarBytesMax));
      throw Stop();
    }
    if (expects_key()) {
      take_key(mark, tag, value);
      return;
    }
    Node node;
    node.kind = NodeKind::Scalar;
    node.quoted = tag == "!";
    node.mark = place(mark);
    node.text = value;
    add(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(NodeKind::Sequence, mark, tag, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(NodeKind::Map, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override {
    drop_repeated_keys(frames_.back().node);
    close();
  }

 private:
  // A map or sequence that is not closed yet.
  struct Frame {
    Node node;
    Key key;  // of the value that comes next
    bool has_key = false;
    bool key_is_bad = false;
    bool is_key = false;  // this container itself stands where a key should
  };

  [[nodiscard]] Mark place(const YAML::Mark& mark) {
    return mark.is_null() ? Mark{file_, 1, 1} : lines_.mark(file_, mark.line, mark.column);
  }

  [[nodiscard]] bool expects_key() const {
    return !frames_.empty() && frames_.back().node.is_map() && !frames_.back().has_key;
  }

  void set_key(Key key, bool is_bad) {
    Frame& frame = frames_.back();
    frame.key = std::move(key);
    frame.has_key = true;
    frame.key_is_bad = is_bad;
  }

  void take_key(const YAML::Mark& mark, const std::string& tag, const std::string& value) {
    count();
    const bool is_merge = value == "<<" && tag == "?";
    if (is_merge) {
      complaints_.error(place(mark), "`<<` is not part of this dialect (write the keys again)");
    }
    set_key({value, place(mark)}, is_merge);
  }

  // An explicit `!` reads like the mark of a quoted text; the source tells them apart.
  void refuse_properties(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    const std::size_t at = lines_.offset(mark.line, mark.column);
    const char first = at < text_.size() ? text_[at] : '\0';
    const bool is_tagged =
        (!tag.empty() && tag != "?" && tag != "!") || (tag == "!" && first == '!');
    if (is_tagged) {
      complaints_.error(place(mark), "tags (!name) are not part of this dialect (leave it out)");
    }
    if (anchor != 0) {
      complaints_.error(place(mark), "anchors (&name) are not part of this dialect (leave it out)");
    }
  }

  // The library marks a missing value where the next token stands; we point at the key, or at the
  // dash.
  [[nodiscard]] Mark place_of_null(const YAML::Mark& mark) {
    const std::size_t at = lines_.offset(mark.line, mark.column);
    const bool is_written =
        at < text_.size() && (text_[at] == '~' || text_[at] == 'n' || text_[at] == 'N');
    const Mark here = place(mark);
    if (frames_.empty()) return here;
    const Frame& frame = frames_.back();
    if (frame.has_key)
      return is_written && here.line == frame.key.mark.line ? here : frame.key.mark;
    return is_written ? here : frame.node.mark;
  }

  void count() {
    if (++nodes_ <= kNodesMax) return;
    complaints_.error({file_, 1, 1},
                      fmt::format("the file has more than {} keys and values", kNodesMax));
    throw Stop();
  }

  void open(NodeKind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    refuse_properties(mark, tag, anchor);
    if (frames_.size() >= kDepthMax) {
      complaints_.error(
          place(mark),
          fmt::format("maps and lists stand more than {} deep inside each other", kDepthMax));
      throw Stop();
    }
    Frame frame;
    frame.is_key = expects_key();
    frame.node.kind = kind;
    frame.node.mark = place(mark);
    if (frame.is_key)
      complaints_.error(frame.node.mark, "a key must be one word, not a map or a list");
    frames_.push_back(std::move(frame));
  }

  void close() {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    if (frame.is_key) {
      set_key({}, true);
    } else {
      add(std::move(frame.node));
    }
  }

  void add(Node node) {
    count();
    if (frames_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& frame = frames_.back();
    if (frame.node.is_map()) {
      frame.has_key = false;
      if (std::exchange(frame.key_is_bad, false)) return;
      frame.node.keys.push_back(std::move(frame.key));
    }
    frame.node.children.push_back(std::move(node));
  }

  void drop_repeated_keys(Node& map) {
    std::vector<std::size_t> order(map.keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const int order_of_texts = map.keys[a].text.compare(map.keys[b].text);
      return order_of_texts != 0 ? order_of_texts < 0 : a < b;
    });
    std::vector<bool> is_repeated(map.keys.size(), false);
    bool any = false;
    for (std::size_t first = 0, i = 1; i < order.size(); ++i) {
      const Key& original = map.keys[order[first]];
      const Key& key = map.keys[order[i]];
      if (key.text != original.text) {
        first = i;
        continue;
      }
      complaints_.error(key.mark,
                        fmt::format("duplicate key {} (it stands already at line {}, column {})",
                                    quote(key.text), original.mark.line, original.mark.column));
      is_repeated[order[i]] = true;
      any = true;
    }
    if (any) keep_only(map, is_repeated);
  }

  static void keep_only(Node& map, const std::vector<bool>& is_dropped) {
    std::vector<Key> keys;
    std::vector<Node> children;
    for (std::size_t i = 0; i < map.keys.size(); ++i) {
      if (is_dropped[i]) continue;
      keys.push_back(std::move(map.keys[i]));
      children.push_back(std::move(map.children[i]));
    }
    map.keys = std::move(keys);
    map.children = std::move(children);
  }

  std::string_view text_;
  LineIndex& lines_;
  std::uint32_t file_;
  Complaints& complaints_;
  std::vector<Frame> frames_;
  std::optional<Node> root_;
  std::size_t nodes_ = 0;
  int documents_ = 0;
};

// `key:value` without a blank is one word for YAML; the error then comes lines later.
bool has_tight_colon(std::string_view line) {
  line = line.substr(0, line.find(" #"));
  for (std::size_t i = 1; i + 1 < line.size(); ++i) {
    const char next = line[i + 1];
    if (line[i] == ':' && line[i - 1] != ' ' && next != ' ' && next != '\r' && next != ',')
      return true;
  }
  return false;
}

std::string hint_for(LineIndex& lines, int line) {
  for (int i = line; i >= 0 && i + 1 >= line; --i) {
    if (has_tight_colon(lines.line_text(i))) return " (is a space missing after a colon?)";
  }
  return "";
}

void report(const YAML::Exception& problem, LineIndex& lines, std::uint32_t file,
            Complaints& complaints) {
  const bool is_placed = !problem.mark.is_null();
  const int line = is_placed ? problem.mark.line : 0;
  const Mark at = lines.mark(file, line, is_placed ? problem.mark.column : 0);
  complaints.error(at,
                   fmt::format("not readable as YAML: {}{}", problem.msg, hint_for(lines, line)));
}

// Runs the library over the text; false if it stopped before the end.
bool run(std::string_view text, TreeBuilder& builder, LineIndex& lines, std::uint32_t file,
         Complaints& complaints) {
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
    return true;
  } catch (const Stop&) {
    return false;  // already reported
  } catch (const YAML::Exception& problem) {
    report(problem, lines, file, complaints);
  } catch (const std::exception& problem) {
    complaints.error({file, 1, 1}, fmt::format("not readable as YAML: {}", problem.what()));
  }
  return false;
}

}  // namespace

std::optional<Node> parse_yaml(std::string_view text, std::uint32_t file, Complaints& complaints) {
  const std::string_view body = without_bom(text);
  if (!scan_text(body, file, complaints)) return std::nullopt;
  LineIndex lines(body);
  TreeBuilder builder(body, lines, file, complaints);
  if (!run(body, builder, lines, file, complaints)) return std::nullopt;
  std::optional<Node> root = builder.take();
  if (!root) {
    root.emplace();
    root->mark = {file, 1, 1};
  }
  return root;
}

}  // namespace stint::codec
