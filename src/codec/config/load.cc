#include "codec/config/load.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/quote.h"
#include "codec/schema/check.h"
#include "codec/yaml/parse.h"

namespace stint::codec {

namespace {

class Loader {
 public:
  Loader(const IncludeLoader& loader, const Block& block, Complaints& complaints)
      : loader_(loader), block_(block), complaints_(complaints) {}

  LoadedFiles run(std::vector<SourceFile> files) {
    bool is_first = true;
    for (SourceFile& file : files) {
      Node tree = load(std::move(file));
      result_.root = is_first ? std::move(tree) : merged(std::move(result_.root), tree);
      is_first = false;
    }
    return std::move(result_);
  }

 private:
  Node load(SourceFile file) {
    const auto index = static_cast<std::uint32_t>(result_.names.size());
    result_.names.push_back(file.name);
    std::optional<Node> own = parse_yaml(file.text, index, complaints_);
    if (!own) {
      result_.complete = false;
      return {};
    }
    file.text = {};
    if (own->kind == NodeKind::Empty) {
      complaints_.error({index, 1, 1}, "the file is empty");
      result_.complete = false;
      return {};
    }
    check_values(*own, block_, complaints_);
    if (!own->is_map()) {
      result_.complete = false;
      return {};
    }
    open_.push_back(std::move(file.name));
    Node below = load_includes(*own);
    open_.pop_back();
    return below.is_map() ? merged(std::move(below), *own) : std::move(*own);
  }

  Node load_includes(const Node& own) {
    Node below;
    const Node* includes = find(own, "include", NodeKind::Sequence);
    if (includes == nullptr) return below;
    for (const Node& path : includes->children) {
      if (!path.is_scalar() || path.text.empty()) continue;
      std::optional<SourceFile> file = fetch(path);
      if (!file) {
        result_.complete = false;
        continue;
      }
      Node tree = load(std::move(*file));
      if (tree.is_map()) below = below.is_map() ? merged(std::move(below), tree) : std::move(tree);
    }
    return below;
  }

  std::optional<SourceFile> fetch(const Node& path) {
    if (++includes_ > kIncludesMax) {
      if (includes_ == kIncludesMax + 1) {
        complaints_.error(path.mark, fmt::format("more than {} files are included", kIncludesMax));
      }
      return std::nullopt;
    }
    if (!loader_) {
      complaints_.error(path.mark,
                        fmt::format("{} cannot be included here", base::quote(path.text)));
      return std::nullopt;
    }
    base::Result<SourceFile> file = loader_(open_.back(), path.text);
    if (!file) {
      complaints_.error(path.mark, fmt::format("include: {}", base::to_string(file.error())));
      return std::nullopt;
    }
    const auto again = std::find(open_.begin(), open_.end(), file->name);
    if (again != open_.end()) {
      complaints_.error(path.mark,
                        fmt::format("a cycle of includes: {} includes {}",
                                    fmt::join(again, open_.end(), " includes "), file->name));
      return std::nullopt;
    }
    return std::move(*file);
  }

  const IncludeLoader& loader_;
  const Block& block_;
  Complaints& complaints_;
  LoadedFiles result_;
  std::vector<std::string> open_;  // names of the files that are being read, outermost first
  std::size_t includes_ = 0;
};

}  // namespace

LoadedFiles load_files(std::vector<SourceFile> files, const IncludeLoader& loader,
                       const Block& block, Complaints& complaints) {
  return Loader(loader, block, complaints).run(std::move(files));
}

}  // namespace stint::codec
