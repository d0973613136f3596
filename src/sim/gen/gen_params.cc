#include "sim/gen/gen_params.h"

#include <array>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/quote.h"
#include "base/suggest.h"
#include "codec/config/read_cluster.h"
#include "sim/gen/gen_values.h"

namespace stint::sim {

namespace {

using M = GenModel;
constexpr std::int64_t kShareMax = 1000;  // 1.0
constexpr std::int64_t kManyMax = 1'000'000'000;
constexpr auto kNodesMax = static_cast<std::int64_t>(codec::kClusterNodesMax);

// key, form, standard value, least, most, meaning, where it is kept.
constexpr std::array kParams{
    GenParam{"jobs", GenForm::Whole, "0", 0, kManyMax, "rows of the trace; 0: follows", &M::jobs},
    GenParam{"days", GenForm::Decimal, "28", 0, 36'500'000, "span of the submissions; 0: follows",
             &M::days_milli},
    GenParam{"nodes", GenForm::Whole, "64", 0, kNodesMax, "nodes of all pools; 0: follows",
             &M::nodes},
    GenParam{"stretch", GenForm::Decimal, "1", 0, 1'000'000,
             "factor on the length of every GPU job; 0: follows", &M::stretch_milli},
    GenParam{"load", GenForm::Decimal, "0.85", 1, 1'000'000,
             "GPU time asked for inside the span, as a share of the cluster's", &M::load_milli},

    GenParam{"pools", GenForm::Pools, "a100:1:8:96:1Ti", 0, kManyMax,
             "kinds of nodes, MODEL:WEIGHT:GPUS:CPUS:MEMORY each", &M::pools},
    GenParam{"rack_nodes", GenForm::Whole, "8", 1, 1'000'000, "nodes in a rack", &M::rack_nodes},
    GenParam{"block_racks", GenForm::Whole, "8", 1, 1'000'000, "racks in a block", &M::block_racks},

    GenParam{"orgs", GenForm::Whole, "0", 0, 10'000, "queues above the teams; 0: none", &M::orgs},
    GenParam{"teams", GenForm::Whole, "8", 1, 100'000, "leaf queues", &M::teams},
    GenParam{"names", GenForm::Words, "", 0, 0, "names of the teams; further ones are numbered",
             &M::names},
    GenParam{"team_shares", GenForm::Decimals, "", 0, kManyMax,
             "share of each team in the jobs; empty: falling by team_skew", &M::team_shares},
    GenParam{"team_shares_big", GenForm::Decimals, "", 0, kManyMax,
             "the same among jobs of more than one GPU; empty: team_shares, or falling in another "
             "order",
             &M::team_shares_big},
    GenParam{"team_skew", GenForm::Decimal, "0.8", 0, 5000,
             "Zipf exponent of the sizes of teams; 0: all equal", &M::team_skew_milli},
    GenParam{"guarantee_shares", GenForm::Decimals, "", 0, kManyMax,
             "how the promised GPUs are dealt out; empty: half by size, half equally",
             &M::guarantee_shares},
    GenParam{"promised", GenForm::Decimal, "0.9", 0, kShareMax, "share of the GPUs guaranteed",
             &M::promised_milli},
    GenParam{"guests", GenForm::Whole, "0", 0, 100'000, "teams, the last ones, without guarantee",
             &M::guests},
    GenParam{"weights", GenForm::Decimals, "1", 1, 1'000'000, "weights of the teams, in turn",
             &M::weights_milli},
    GenParam{"limit_factor", GenForm::Decimal, "0", 0, 1'000'000,
             "limit of a team as a multiple of its guarantee; 0: none", &M::limit_factor_milli},
    GenParam{"org_limit_factor", GenForm::Decimal, "0", 0, 1'000'000,
             "limit of an org as a multiple of its guarantee; 0: none", &M::org_limit_factor_milli},
    GenParam{"users", GenForm::Whole, "60", 1, 1'000'000, "people of all teams", &M::users},
    GenParam{"user_skew", GenForm::Decimal, "1", 0, 5000,
             "Zipf exponent of how much the people of a team submit", &M::user_skew_milli},
    GenParam{"guest_user_limit", GenForm::Whole, "0", 0, 1'000'000,
             "GPUs that a person of a team without guarantee may hold; 0: no limit",
             &M::guest_user_limit},
    GenParam{"half_life", GenForm::Duration, "7d", 1, base::kSpanMax,
             "memory of the fair share in cluster.yaml", &M::half_life},

    GenParam{"hours", GenForm::Wholes, "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", 0, 1000,
             "submissions by hour of the day, 24 relative numbers", &M::hours},
    GenParam{"week", GenForm::Wholes, "1 1 1 1 1 1 1", 0, 1000,
             "the same by day, from the first day of the trace, 7 numbers", &M::week},
    GenParam{"season", GenForm::Wholes, "1", 0, 1000,
             "the same over the whole span, cut into as many parts as there are numbers",
             &M::season},
    GenParam{"swing", GenForm::Decimal, "0.3", 0, 999,
             "how far a team's share of a week may go up or down", &M::swing_milli},
    GenParam{"sweep_share", GenForm::Decimal, "0.03", 0, kShareMax,
             "share of the submissions that are many equal jobs at once (up to one node each)",
             &M::sweep_share_milli},
    GenParam{"sweep_sizes", GenForm::WeightedCounts, "5:3 8:3 16:2 32:1", 1000, 10'000'000,
             "jobs of a sweep, NUMBER:WEIGHT", &M::sweep_sizes},
    GenParam{"sweep_spread", GenForm::Decimal, "0.1", 0, kShareMax,
             "how far apart the lengths in a sweep are, as a share of the distribution",
             &M::sweep_spread_milli},

    GenParam{"gangs", GenForm::WeightedCounts, "1:70 2:8 4:7 8:10 16:3 32:1.5 64:0.5", 1,
             1'000'000'000, "GPUs of a job that has any, NUMBER:WEIGHT; below 1: a part of one",
             &M::gangs},
    GenParam{"cpu_jobs", GenForm::Decimal, "0", 0, 999, "share of the jobs without GPU",
             &M::cpu_jobs_milli},
    GenParam{"cpu_sizes", GenForm::WeightedCounts, "1:4 4:3 8:2 16:1", 1, 1'000'000'000,
             "CPUs of such a job, NUMBER:WEIGHT", &M::cpu_sizes},
    GenParam{"cpu_per_gpu", GenForm::Decimal, "8", 0, 1'000'000, "CPUs that come with a GPU",
             &M::cpu_per_gpu_milli},
    GenParam{"memory_per_gpu", GenForm::Memory, "64Gi", 0, base::kAmountMax,
             "memory that comes with a GPU", &M::memory_per_gpu_mib},
    GenParam{"memory_per_cpu", GenForm::Memory, "4Gi", 0, base::kAmountMax,
             "memory that comes with a CPU of a job without GPU", &M::memory_per_cpu_mib},
    GenParam{"model_share", GenForm::Decimal, "0", 0, kShareMax,
             "share of the GPU jobs that insist on one GPU model", &M::model_share_milli},
    GenParam{"priority_share", GenForm::Decimal, "0", 0, kShareMax,
             "share of the submissions of priority 10", &M::priority_share_milli},
    GenParam{"protected_share", GenForm::Decimal, "0", 0, kShareMax,
             "share of the submissions that may not be preempted, where they fit the guarantee",
             &M::protected_share_milli},

    GenParam{"run_cpu", GenForm::Quantiles, "0:1s 50:2m 90:1h 100:2d", 1, base::kSpanMax,
             "length of jobs without GPU, PERCENT:LENGTH", &M::run_cpu},
    GenParam{"run_one", GenForm::Quantiles, "0:10s 50:15m 90:5h 100:7d", 1, base::kSpanMax,
             "length of jobs of at most one GPU", &M::run_one},
    GenParam{"run_part", GenForm::Quantiles, "0:10s 50:30m 90:10h 100:7d", 1, base::kSpanMax,
             "length of jobs of more, but less than a node", &M::run_part},
    GenParam{"run_node", GenForm::Quantiles, "0:10s 50:1h 90:20h 100:14d", 1, base::kSpanMax,
             "length of jobs of one node", &M::run_node},
    GenParam{"run_many", GenForm::Quantiles, "0:10s 50:2h 90:2d 100:14d", 1, base::kSpanMax,
             "length of jobs of more than a node", &M::run_many},

    GenParam{"limits", GenForm::Durations, "1h 4h 12h 24h 48h 4d 7d 14d", 1000, base::kSpanMax,
             "round time limits that people choose; longer ones are whole days; empty: no limits",
             &M::limits},
    GenParam{"estimate", GenForm::WeightedCounts, "1.2:2 1.5:2 2:3 3:2 5:1", 1000, 1'000'000,
             "what people take the length for, FACTOR:WEIGHT, before rounding up", &M::estimate},
    GenParam{
        "timeout", GenForm::Decimal, "0.02", 0, kShareMax,
        "share of the submissions longer than the shortest limit that get one below their length",
        &M::timeout_milli},

    GenParam{"saves_one", GenForm::Decimal, "0.3", 0, kShareMax,
             "share of the people whose jobs of up to one GPU save", &M::saves_one_milli},
    GenParam{"saves_node", GenForm::Decimal, "0.6", 0, kShareMax, "the same, up to a node",
             &M::saves_node_milli},
    GenParam{"saves_many", GenForm::Decimal, "0.95", 0, kShareMax, "the same, more than a node",
             &M::saves_many_milli},
    GenParam{"save_every", GenForm::WeightedLengths, "15m:1 30m:3 1h:2", 1000, base::kSpanMax,
             "work between two saves, LENGTH:WEIGHT; shorter jobs do not save", &M::save_every},
    GenParam{"save_takes", GenForm::Duration, "30s", 0, base::kSpanMax, "how long a save takes",
             &M::save_takes},
    GenParam{"save_takes_many", GenForm::Duration, "1m", 0, base::kSpanMax,
             "the same, more than a node", &M::save_takes_many},
    GenParam{"restart", GenForm::Duration, "1m", 0, base::kSpanMax,
             "what a run after a preemption pays first", &M::restart},
    GenParam{"restart_many", GenForm::Duration, "5m", 0, base::kSpanMax,
             "the same, more than a node", &M::restart_many},
};

std::optional<std::size_t> index_of(std::string_view key) {
  for (std::size_t i = 0; i < kParams.size(); ++i) {
    if (kParams[i].key == key) return i;
  }
  return std::nullopt;
}

tl::unexpected<base::Error> unknown(std::string_view key) {
  std::vector<std::string> keys;
  keys.reserve(kParams.size());
  for (const GenParam& param : kParams) keys.emplace_back(param.key);
  const auto near = base::did_you_mean(key, keys);
  return base::refuse(
      near ? fmt::format("unknown parameter {}, did you mean {}?", base::quote(key), *near)
           : fmt::format("unknown parameter {}; `--show` lists them all", base::quote(key)));
}

}  // namespace

std::span<const GenParam> gen_params() { return kParams; }

GenSettings::GenSettings() : texts_(kParams.size()), by_hand_(kParams.size()) {
  for (const GenParam& param : kParams) {
    const auto done = set(param.key, param.standard, false);
    STINT_ASSERT(done.has_value());
  }
}

base::Result<void> GenSettings::set(std::string_view key, std::string_view value, bool by_hand) {
  const auto index = index_of(key);
  if (!index) return unknown(key);
  const GenParam& param = kParams[*index];
  if (auto done = read_gen_value(param, value, model_); !done) {
    return tl::unexpected(std::move(done.error()).in(std::string(key)));
  }
  texts_[*index] = value;
  by_hand_[*index] = by_hand;
  return {};
}

const std::string& GenSettings::text(std::string_view key) const {
  const auto index = index_of(key);
  STINT_ASSERT(index.has_value());
  return texts_[*index];
}

bool GenSettings::is_by_hand(std::string_view key) const {
  const auto index = index_of(key);
  STINT_ASSERT(index.has_value());
  return by_hand_[*index];
}

}  // namespace stint::sim
