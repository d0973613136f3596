#include "base/amount.h"
#include "base/time.h"
#include "codec/schema/tables.h"
#include "model/policy.h"
#include "model/tree.h"

namespace stint::codec {

namespace {

using Words = std::array<std::string_view, 1>;

constexpr Words kNone = {"none"};
constexpr Words kOff = {"off"};
constexpr Words kAll = {"all"};
constexpr std::array<std::string_view, 2> kAllOrNone = {"all", "none"};
constexpr std::array<std::string_view, 2> kScopes = {"user", "queue"};
constexpr std::array<std::string_view, 4> kOrders = {"fair", "fifo", "fifo_skip", "sjf_skip"};
constexpr std::array<std::string_view, 3> kInstants = {"end_first", "submit_first", "each_end"};

constexpr std::int64_t kSmallMax = 1'000'000'000;  // plenty for priorities and counters

constexpr std::array<KeySpec, 5> kConfigKeys = {{
    {.name = "stint",
     .type = Type::Version,
     .doc = "Version of the file format; always 1.",
     .required = true},
    {.name = "cluster",
     .type = Type::Map,
     .doc = "The machine.",
     .required = true,
     .block = &kCluster},
    {.name = "queues",
     .type = Type::Named,
     .doc = "The quota tree: who is guaranteed what; a name may not hold a `/`.",
     .required = true,
     .block = &kQueue},
    {.name = "policy", .type = Type::Map, .doc = "The knobs of the scheduler.", .block = &kPolicy},
    {.name = "include",
     .type = Type::TextList,
     .doc = "Files to read first, relative to this one; what this file says itself wins."},
}};

constexpr std::array<KeySpec, 2> kApplyKeys = {{
    {.name = "queues",
     .type = Type::Named,
     .doc = "Changes of queues, or new ones.",
     .block = &kQueue},
    {.name = "policy", .type = Type::Map, .doc = "Changes of the policy.", .block = &kPolicy},
}};

constexpr std::array<KeySpec, 2> kClusterKeys = {{
    {.name = "topology",
     .type = Type::TextList,
     .doc = "Levels of the topology, outermost first; nodes sit below the last."},
    {.name = "nodes",
     .type = Type::List,
     .doc = "Groups of equal nodes.",
     .required = true,
     .block = &kNodeGroup},
}};

constexpr std::array<KeySpec, 4> kNodeKeys = {{
    {.name = "name",
     .type = Type::HostList,
     .doc = "Name of the node, or a host list of several.",
     .required = true},
    {.name = "has", .type = Type::Amounts, .doc = "What each of them has.", .required = true},
    {.name = "labels",
     .type = Type::Labels,
     .doc = "Labels that jobs may ask for; `model` names the kind of GPU and makes the resource "
            "`gpu/MODEL`."},
    {.name = "at",
     .type = Type::Domains,
     .doc = "Where they stand, per level; a list is dealt out in equal consecutive runs."},
}};

constexpr std::array<KeySpec, 8> kQueueKeys = {{
    {.name = "guarantee",
     .type = Type::Shares,
     .doc = "What the queue can always get back; a percentage is of the parent's guarantee, a "
            "resource that is "
            "not named comes along in proportion to the largest named one, `cpu: 0` means none. "
            "Without it: "
            "the sum of the children's, a leaf's is 0."},
    {.name = "limit",
     .type = Type::Limits,
     .doc = "What the queue may never exceed; a percentage is of the nearest limit above, or of "
            "the cluster.",
     .default_text = "none",
     .words = kNone},
    {.name = "lend",
     .type = Type::Limits,
     .doc = "How much of an idle guarantee others may use; a percentage is of the queue's own "
            "guarantee.",
     .default_text = "all",
     .words = kAllOrNone},
    {.name = "weight",
     .type = Type::Decimal,
     .doc = "How the queue shares what nobody is guaranteed; 0: only what nobody else wants.",
     .default_text = "1",
     .min = 0,
     .max = model::kWeightMax},
    {.name = "priority",
     .type = Type::Integer,
     .doc = "Among borrowing siblings the higher goes first.",
     .default_text = "0",
     .min = -kSmallMax,
     .max = kSmallMax},
    {.name = "priority_scope",
     .type = Type::Choice,
     .doc = "Whether job priorities act inside each user, or across the users of the leaf.",
     .default_text = "user",
     .words = kScopes},
    {.name = "users",
     .type = Type::Named,
     .doc = "Rules per person, by name; `default` is for everybody, and for what a named rule "
            "leaves out.",
     .block = &kUserRule},
    {.name = "queues",
     .type = Type::Named,
     .doc = "The children; a queue with children holds no jobs.",
     .block = &kQueue},
}};

constexpr std::array<KeySpec, 2> kUserKeys = {{
    {.name = "limit",
     .type = Type::Limits,
     .doc = "What one person may hold below this queue; a percentage is of the queue's limit.",
     .default_text = "none",
     .words = kNone},
    {.name = "weight",
     .type = Type::Decimal,
     .doc = "How the person shares with the others of a leaf.",
     .default_text = "1",
     .min = 0,
     .max = model::kWeightMax},
}};

constexpr std::array<KeySpec, 8> kPolicyKeys = {{
    {.name = "order",
     .type = Type::Choice,
     .doc = "Who goes first: our rules, or a baseline to compare with: first in first out, the "
            "same but "
            "passing what does not fit, or shortest work first.",
     .default_text = "fair",
     .words = kOrders},
    {.name = "instant",
     .type = Type::Choice,
     .doc = "What comes first at one time stamp: ends, then submissions, then decisions. As other "
            "simulators do: a decision after each submission, then each end; or each end first.",
     .default_text = "end_first",
     .words = kInstants},
    {.name = "cycle",
     .type = Type::Duration,
     .doc = "Decide only at multiples of it; 0s: at every instant.",
     .default_text = "0s"},
    {.name = "fair_share",
     .type = Type::Map,
     .doc = "How shares are compared.",
     .block = &kFairShare},
    {.name = "preemption",
     .type = Type::Map,
     .doc = "How running work gives way.",
     .words = kOff,
     .block = &kPreemption},
    {.name = "backfill",
     .type = Type::Map,
     .doc = "How waiting work is protected.",
     .block = &kBackfill},
    {.name = "limits", .type = Type::Map, .doc = "Time limits of jobs.", .block = &kTimeLimits},
    {.name = "failures",
     .type = Type::Map,
     .doc = "What follows a failed node.",
     .block = &kFailures},
}};

constexpr std::array<KeySpec, 2> kFairShareKeys = {{
    {.name = "half_life",
     .type = Type::Duration,
     .doc = "After this time past use counts half.",
     .default_text = "1d",
     .min = 1},
    {.name = "history",
     .type = Type::Decimal,
     .doc = "How much the past counts against the present, 0 to 0.9; with nothing but the past one "
            "queue could "
            "take everything within an instant.",
     .default_text = "0.5",
     .min = 0,
     .max = model::kHistoryMax},
}};

constexpr std::array<KeySpec, 7> kPreemptionKeys = {{
    {.name = "reclaim_within",
     .type = Type::Duration,
     .doc = "A lent guarantee comes back within this time and `grace`.",
     .default_text = "10m"},
    {.name = "grace",
     .type = Type::Duration,
     .doc = "Time to leave before a run is killed.",
     .default_text = "1m"},
    {.name = "min_run",
     .type = Type::Duration,
     .doc = "Younger runs are not stopped; at most `reclaim_within`.",
     .default_text = "5m"},
    {.name = "max_per_day",
     .type = Type::Integer,
     .doc = "How often in any 24 h a run is stopped between borrowers.",
     .default_text = "4",
     .min = 0,
     .max = kSmallMax},
    {.name = "loss_cap",
     .type = Type::Duration,
     .doc = "Unsaved work beyond it does not make a victim dearer.",
     .default_text = "1h"},
    {.name = "claim_for",
     .type = Type::Duration,
     .doc = "How long freed capacity waits for its job.",
     .default_text = "5m"},
    {.name = "between_borrowers",
     .type = Type::Map,
     .doc = "Whether borrowers may take from each other.",
     .words = kOff,
     .block = &kBetweenBorrowers},
}};

constexpr std::array<KeySpec, 1> kBetweenKeys = {{
    {.name = "after",
     .type = Type::Duration,
     .doc = "Only for a job that waited this long.",
     .default_text = "30m"},
}};

constexpr std::array<KeySpec, 2> kBackfillKeys = {{
    {.name = "reservations",
     .type = Type::Integer,
     .doc = "How many blocked jobs get a reservation (0 is the default of `fifo`, `fifo_skip`, "
            "`sjf_skip`).",
     .default_text = "1",
     .words = kAll,
     .min = 0,
     .max = kSmallMax},
    {.name = "firm_after",
     .type = Type::Duration,
     .doc = "A reservation held this long is a promise.",
     .default_text = "30m"},
}};

constexpr std::array<KeySpec, 2> kTimeLimitKeys = {{
    {.name = "default_time",
     .type = Type::Duration,
     .doc = "Time limit of a job that names none.",
     .default_text = "1d",
     .words = kNone,
     .min = 1},
    {.name = "max_time",
     .type = Type::Duration,
     .doc = "A job with a longer limit never runs.",
     .default_text = "7d",
     .words = kNone,
     .min = 1},
}};

constexpr std::array<KeySpec, 2> kFailureKeys = {{
    {.name = "repair_within",
     .type = Type::Duration,
     .doc = "How long a gang keeps its healthy nodes while a replacement is found.",
     .default_text = "10m"},
    {.name = "quarantine_after",
     .type = Type::Integer,
     .doc = "A node that stops so many jobs in a day leaves service.",
     .default_text = "3",
     .min = 1,
     .max = kSmallMax},
}};

}  // namespace

constinit const Block kConfigFile = {"config", "A configuration file",
                                     "Several files may make one configuration.", kConfigKeys};
constinit const Block kApplyPatch = {
    "apply", "`apply`", "A partial configuration, laid over what is in force.", kApplyKeys};
constinit const Block kCluster = {"cluster", "`cluster`", "The machine.", kClusterKeys};
constinit const Block kNodeGroup = {"node", "`cluster.nodes[]`", "A group of equal nodes.",
                                    kNodeKeys};
constinit const Block kQueue = {"queue", "`queues.NAME`", "A queue of the quota tree.", kQueueKeys};
constinit const Block kUserRule = {"user", "`queues.NAME.users.PERSON`",
                                   "What a person may hold in this subtree.", kUserKeys};
constinit const Block kPolicy = {"policy", "`policy`", "The knobs of the scheduler.", kPolicyKeys};
constinit const Block kFairShare = {"fair_share", "`policy.fair_share`", "How shares are compared.",
                                    kFairShareKeys};
constinit const Block kPreemption = {"preemption", "`policy.preemption`",
                                     "How running work gives way.", kPreemptionKeys};
constinit const Block kBetweenBorrowers = {"between_borrowers",
                                           "`policy.preemption.between_borrowers`",
                                           "Taking between borrowers.", kBetweenKeys};
constinit const Block kBackfill = {"backfill", "`policy.backfill`",
                                   "How waiting work is protected.", kBackfillKeys};
constinit const Block kTimeLimits = {"limits", "`policy.limits`", "Time limits of jobs.",
                                     kTimeLimitKeys};
constinit const Block kFailures = {"failures", "`policy.failures`", "What follows a failed node.",
                                   kFailureKeys};

}  // namespace stint::codec
