#include "codec/snapshot/snapshot.h"

#include <fmt/format.h>

#include "base/digest.h"
#include "codec/snapshot/consistent.h"
#include "codec/snapshot/fields.h"

namespace stint::codec {

namespace {

constexpr std::string_view kMagic = "STNTSNAP";
constexpr std::size_t kTrailer = 8;

std::uint64_t checksum(std::string_view bytes) {
  base::Digest digest;
  digest.add_text(bytes);
  return digest.value();
}

}  // namespace

std::string encode_state(const model::State& state) {
  SnapshotWriter writer;
  writer.bytes() += kMagic;
  writer.raw(kSnapshotVersion, 4);
  // The field lists serve both directions, hence take State by reference; a writer changes nothing.
  field(writer, const_cast<model::State&>(state));
  writer.raw(checksum(writer.bytes()), kTrailer);
  return std::move(writer.bytes());
}

base::Result<model::State> decode_state(std::string_view bytes) {
  if (!bytes.starts_with(kMagic))
    return base::refuse("no snapshot: it does not begin with STNTSNAP");
  if (bytes.size() < kMagic.size() + 4 + kTrailer) return base::refuse("the snapshot is cut short");
  SnapshotReader header(bytes.substr(kMagic.size()));
  const std::uint64_t version = header.raw(4);
  if (version != kSnapshotVersion) {
    return base::refuse(fmt::format("snapshot version {}: this program reads version {}", version,
                                    kSnapshotVersion));
  }
  const std::string_view body = bytes.substr(0, bytes.size() - kTrailer);
  SnapshotReader trailer(bytes.substr(body.size()));
  if (trailer.raw(kTrailer) != checksum(body)) {
    return base::refuse("the snapshot is damaged: its checksum is wrong");
  }
  SnapshotReader reader(body.substr(kMagic.size() + 4));
  model::State state;
  field(reader, state);
  if (!reader.ok() || !reader.at_end())
    return base::refuse("the snapshot is damaged: a field is out of range");
  if (auto wrong = inconsistency(state); !wrong.empty()) {
    return base::refuse(fmt::format("the snapshot is damaged: {}", wrong));
  }
  state.topology = model::Topology(state.cluster);
  return state;
}

}  // namespace stint::codec
