// Configuration: cluster, queues and policy, read strictly and resolved to the model.
//
// All errors of all included files come at once, each with file, line and column. Legal but odd
// values are lints. Codec opens no files: the caller gives the text, and a loader for `include:`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codec/diagnostic.h"
#include "model/cluster.h"
#include "model/policy.h"
#include "model/tree.h"

namespace stint::codec {

struct Config {
  model::Cluster cluster;
  model::Tree tree;
  model::Policy policy;
};

// One file: its name as shown in messages, and its text.
struct SourceFile {
  std::string name;
  std::string text;
};

// Gives the text of `path`, named in the file `from`; relative to the latter's folder.
using IncludeLoader =
    std::function<base::Result<SourceFile>(std::string_view from, std::string_view path)>;

template <class T>
struct ReadResult {
  std::optional<T> value;               // set if there is no error
  std::vector<Diagnostic> diagnostics;  // errors in file order, then lints

  [[nodiscard]] bool ok() const { return value.has_value(); }
};

// Reads one or more configuration files, merged left to right (a later file's key wins).
[[nodiscard]] ReadResult<Config> read_config(std::vector<SourceFile> files,
                                             const IncludeLoader& loader);

}  // namespace stint::codec
