#include "codec/schema/check.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/quote.h"
#include "base/suggest.h"
#include "codec/schema/tables.h"
#include "codec/schema/values.h"

namespace stint::codec {

namespace {

using base::quote;

std::string_view kind_name(const Node& node) {
  switch (node.kind) {
    case NodeKind::Map:
      return "a map";
    case NodeKind::Sequence:
      return "a list";
    case NodeKind::Scalar:
      return "a single value";
    case NodeKind::Empty:
      return "nothing";
  }
  return "nothing";
}

// Titles of maps are code; a file is just the file.
std::string_view place_of(const Block& block) {
  return block.title.starts_with('`') ? block.title : "the file";
}

std::string_view space_hint(std::string_view text) {
  const std::size_t colon = text.find(':');
  const bool is_tight = colon != std::string_view::npos && colon > 0;
  return is_tight ? " (is a space missing after the colon?)" : "";
}

class Checker {
 public:
  explicit Checker(Complaints& complaints) : complaints_(complaints) {}

  void check_map(const Node& node, std::string_view name, const Block& block) {
    if (!expect(node, NodeKind::Map, name)) return;
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
      const Key& key = node.keys[i];
      const KeySpec* spec = find_key(block, key.text);
      if (spec == nullptr) {
        report_unknown(key, node.children[i], block);
      } else if (const Unavailable* row = unavailable(block.name, key.text);
                 row != nullptr && !row->needs_cluster) {
        complaints_.error(key.mark, unavailable_text(*row));
      } else {
        check_value(node.children[i], *spec);
      }
    }
  }

 private:
  // Whether the node is of that kind; reports it if not.
  bool expect(const Node& node, NodeKind kind, std::string_view name) {
    if (node.kind == kind) return true;
    const std::string_view example = kind == NodeKind::Map        ? "a map such as {key: value}"
                                     : kind == NodeKind::Sequence ? "a list such as [a, b]"
                                                                  : "a single value";
    if (node.kind == NodeKind::Empty) {
      complaints_.error(node.mark, fmt::format("{} has no value (write {})", name, example));
    } else {
      complaints_.error(node.mark,
                        fmt::format("{} must be {}, not {}{}", name, example, kind_name(node),
                                    node.is_scalar() ? space_hint(node.text) : ""));
    }
    return false;
  }

  void report_unknown(const Key& key, const Node& value, const Block& block) {
    std::vector<std::string> names;
    for (const KeySpec& spec : block.keys) names.emplace_back(spec.name);
    std::string text = fmt::format("unknown key {}", quote(key.text));
    if (value.kind == NodeKind::Empty && !space_hint(key.text).empty()) {
      text += space_hint(key.text);
    } else if (const auto near = base::did_you_mean(key.text, names)) {
      text += fmt::format(", did you mean {}?", quote(*near));
    } else {
      text += fmt::format(" in {} (it has: {})", place_of(block), fmt::join(names, ", "));
    }
    complaints_.error(key.mark, std::move(text));
  }

  // Reports what a reader of one scalar says, with the key in front.
  template <class T>
  void report(const Node& node, std::string_view name, const Result<T>& result) {
    if (!result) complaints_.error(node.mark, fmt::format("{}: {}", name, result.error().message));
  }

  void check_value(const Node& node, const KeySpec& spec) {
    for (const std::string_view word : spec.words) {
      if (spec.type != Type::Choice && node.is_word(word)) return;
    }
    switch (spec.type) {
      case Type::Map:
        return check_map(node, spec.name, *spec.block);
      case Type::Named:
        return check_named(node, spec);
      case Type::List:
        if (!expect(node, NodeKind::Sequence, spec.name)) return;
        for (const Node& item : node.children)
          check_map(item, fmt::format("an entry of {}", spec.name), *spec.block);
        return;
      case Type::TextList:
        if (!expect(node, NodeKind::Sequence, spec.name)) return;
        for (const Node& item : node.children) check_text(item, spec.name);
        return;
      case Type::Labels:
      case Type::Domains:
        return check_labels(node, spec);
      case Type::Amounts:
      case Type::Shares:
      case Type::Limits:
        return check_amounts(node, spec);
      case Type::TimeRange:
        return check_range(node, spec);
      default:
        if (expect(node, NodeKind::Scalar, spec.name)) check_scalar(node, spec);
    }
  }

  void check_scalar(const Node& node, const KeySpec& spec) {
    switch (spec.type) {
      case Type::Version:
        if (!node.is_word("1")) {
          complaints_.error(node.mark,
                            fmt::format("stint: {} is no version of the format that this program "
                                        "reads (write stint: 1)",
                                        quote(node.text)));
        }
        return;
      case Type::Count:
        return report(node, spec.name, amount_of(node, "", false, {}));
      case Type::Decimal:
        return report(node, spec.name, decimal_of(node, spec));
      case Type::Integer:
        return report(node, spec.name, integer_of(node, spec));
      case Type::Flag:
        return report(node, spec.name, flag_of(node));
      case Type::Duration:
        return report(node, spec.name, duration_of(node, spec));
      case Type::Choice:
        return report(node, spec.name, choice_of(node, spec));
      default:
        return check_text(node, spec.name);
    }
  }

  void check_text(const Node& node, std::string_view name) {
    if (!expect(node, NodeKind::Scalar, name)) return;
    if (node.text.empty()) complaints_.error(node.mark, fmt::format("{}: the text is empty", name));
  }

  // A free name that stands as a key.
  bool check_name(const Key& key, std::string_view what, std::string_view forbidden) {
    Node node;
    node.text = key.text;
    const Result<std::string_view> name = name_of(node, forbidden);
    if (!name) complaints_.error(key.mark, fmt::format("{}: {}", what, name.error().message));
    return name.has_value();
  }

  void check_named(const Node& node, const KeySpec& spec) {
    if (!expect(node, NodeKind::Map, spec.name)) return;
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
      check_name(node.keys[i], spec.name, spec.name == "queues" ? "/*" : "*");
      check_map(node.children[i], node.keys[i].text, *spec.block);
    }
  }

  void check_labels(const Node& node, const KeySpec& spec) {
    if (!expect(node, NodeKind::Map, spec.name)) return;
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
      const Node& value = node.children[i];
      check_name(node.keys[i], spec.name, "=");
      if (!expect(value, NodeKind::Scalar, node.keys[i].text)) continue;
      if (spec.type == Type::Labels) report(value, node.keys[i].text, name_of(value, ""));
    }
  }

  void check_amounts(const Node& node, const KeySpec& spec) {
    if (!expect(node, NodeKind::Map, spec.name)) return;
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
      const Key& resource = node.keys[i];
      if (!check_name(resource, spec.name, "*[],")) continue;
      if (!expect(node.children[i], NodeKind::Scalar, resource.text)) continue;
      report(node.children[i], resource.text,
             amount_of(node.children[i], resource.text, spec.type != Type::Amounts, spec.words));
    }
  }

  void check_range(const Node& node, const KeySpec& spec) {
    if (node.is_scalar()) return report(node, spec.name, duration_of(node, spec));
    if (!node.is_sequence() || node.children.size() != 2 || !node.children[0].is_scalar() ||
        !node.children[1].is_scalar()) {
      complaints_.error(
          node.mark,
          fmt::format("{} must be a time such as 10m or two of them as in [10m, 12m]", spec.name));
      return;
    }
    const auto low = duration_of(node.children[0], spec);
    const auto high = duration_of(node.children[1], spec);
    report(node.children[0], spec.name, low);
    report(node.children[1], spec.name, high);
    if (low && high && *low > *high) {
      complaints_.error(node.mark, fmt::format("{}: the range [{}, {}] runs backwards", spec.name,
                                               node.children[0].text, node.children[1].text));
    }
  }

  Complaints& complaints_;
};

void require(const Node& node, const Block& block, Complaints& complaints);

void require_below(const Node& node, const KeySpec& spec, Complaints& complaints) {
  if (spec.block == nullptr) return;
  if (spec.type == Type::Map) return require(node, *spec.block, complaints);
  const bool holds_maps = (spec.type == Type::Named && node.is_map()) ||
                          (spec.type == Type::List && node.is_sequence());
  if (!holds_maps) return;
  for (const Node& child : node.children) require(child, *spec.block, complaints);
}

void require(const Node& node, const Block& block, Complaints& complaints) {
  if (!node.is_map()) return;
  for (const KeySpec& spec : block.keys) {
    const Node* value = find(node, spec.name);
    if (value != nullptr) {
      require_below(*value, spec, complaints);
    } else if (spec.required) {
      complaints.error(
          node.mark, fmt::format("the key {} is missing in {}", quote(spec.name), place_of(block)));
    }
  }
}

}  // namespace

void check_values(const Node& node, const Block& block, Complaints& complaints) {
  Checker(complaints).check_map(node, "the file", block);
}

void check_required(const Node& node, const Block& block, Complaints& complaints) {
  require(node, block, complaints);
}

}  // namespace stint::codec
