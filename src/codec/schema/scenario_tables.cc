#include "base/time.h"
#include "codec/schema/tables.h"
#include "model/job.h"

namespace stint::codec {

namespace {

constexpr std::array<std::string_view, 1> kNone = {"none"};
constexpr std::array<std::string_view, 1> kNever = {"never"};
constexpr std::array<std::string_view, 1> kForever = {"forever"};
constexpr std::array<std::string_view, 1> kController = {"controller"};
// The closed list of DESIGN §5.9.
constexpr std::array<std::string_view, 17> kReasons = {
    "impossible",     "held",       "not-before", "after",      "limit",      "budget",
    "guarantee-only", "turn",       "resources",  "fragmented", "domain",     "reserved",
    "claimed",        "reclaiming", "protected",  "down",       "maintenance"};

constexpr std::int64_t kSmallMax = 1'000'000'000;

constexpr std::array<KeySpec, 9> kScenarioKeys = {{
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
     .doc = "The quota tree.",
     .required = true,
     .block = &kQueue},
    {.name = "policy", .type = Type::Map, .doc = "The knobs of the scheduler.", .block = &kPolicy},
    {.name = "include",
     .type = Type::TextList,
     .doc = "Files to read first, relative to this one; what this file says itself wins."},
    {.name = "jobs",
     .type = Type::List,
     .doc = "The jobs; equal times keep the order of the file.",
     .block = &kJob},
    {.name = "events", .type = Type::List, .doc = "What happens from outside.", .block = &kEvent},
    {.name = "expect",
     .type = Type::List,
     .doc =
         "What must be; checked at the end of its instant, or of the run where it names no time.",
     .block = &kExpectation},
    {.name = "until",
     .type = Type::Duration,
     .doc = "How long the run lasts. Without it: until the last timed expectation."},
}};

constexpr std::array<KeySpec, 18> kJobKeys = {{
    {.name = "name", .type = Type::Text, .doc = "Name of the job.", .required = true},
    {.name = "queue",
     .type = Type::Text,
     .doc = "Path of a leaf, such as `vision/train`.",
     .required = true},
    {.name = "user",
     .type = Type::Text,
     .doc = "Whose it is. Without it: the job's name without a trailing .N."},
    {.name = "count",
     .type = Type::Integer,
     .doc = "Makes that many jobs, NAME.1 NAME.2 …",
     .min = 1,
     .max = kSmallMax},
    {.name = "at", .type = Type::Duration, .doc = "When it is submitted.", .default_text = "0s"},
    {.name = "tasks",
     .type = Type::Integer,
     .doc = "Size of the gang: its tasks start together.",
     .default_text = "1",
     .min = 1,
     .max = model::kTasksMax},
    {.name = "elastic",
     .type = Type::Map,
     .doc = "A gang that grows and shrinks; stands instead of `tasks`.",
     .block = &kElastic},
    {.name = "each", .type = Type::Amounts, .doc = "What each task asks for.", .required = true},
    {.name = "run",
     .type = Type::Duration,
     .doc = "True length of the work.",
     .required = true,
     .words = kForever},
    {.name = "limit",
     .type = Type::Duration,
     .doc = "A run ends this long after its start. Without it: `policy.limits.default_time`.",
     .words = kNone,
     .min = 1},
    {.name = "priority",
     .type = Type::Integer,
     .doc = "Among the jobs of one user the higher goes first.",
     .default_text = "0",
     .min = -kSmallMax,
     .max = kSmallMax},
    {.name = "preemptible",
     .type = Type::Flag,
     .doc = "Whether it may be stopped for others; if not, it runs only inside a guarantee.",
     .default_text = "true"},
    {.name = "checkpoint",
     .type = Type::Map,
     .doc = "How it saves. Without it all work is lost at a stop.",
     .words = kNone,
     .block = &kCheckpoint},
    {.name = "stops_in",
     .type = Type::Duration,
     .doc = "How long it takes to leave after a stop.",
     .default_text = "0s"},
    {.name = "together",
     .type = Type::Text,
     .doc = "All tasks in one domain of this level, or it waits."},
    {.name = "prefer", .type = Type::Text, .doc = "The same as a wish: else the next wider level."},
    {.name = "where", .type = Type::Labels, .doc = "Labels that its nodes must have."},
    {.name = "after", .type = Type::TextList, .doc = "Jobs that must have ended before."},
}};

constexpr std::array<KeySpec, 4> kCheckpointKeys = {{
    {.name = "every",
     .type = Type::Duration,
     .doc = "Work between two saves. Without it: only on notice.",
     .min = 1},
    {.name = "takes",
     .type = Type::Duration,
     .doc = "How long a save takes.",
     .default_text = "0s"},
    {.name = "restart",
     .type = Type::Duration,
     .doc = "What every run but the first pays before it works.",
     .default_text = "0s"},
    {.name = "on_notice",
     .type = Type::Flag,
     .doc = "Whether it saves when it is told to stop.",
     .default_text = "false"},
}};

constexpr std::array<KeySpec, 2> kElasticKeys = {{
    {.name = "min",
     .type = Type::Integer,
     .doc = "Fewest tasks.",
     .required = true,
     .min = 1,
     .max = model::kTasksMax},
    {.name = "max",
     .type = Type::Integer,
     .doc = "Most tasks.",
     .required = true,
     .min = 1,
     .max = model::kTasksMax},
}};

constexpr std::array<KeySpec, 10> kEventKeys = {{
    {.name = "at", .type = Type::Duration, .doc = "When it happens.", .required = true},
    {.name = "fail", .type = Type::HostList, .doc = "These nodes fail."},
    {.name = "return", .type = Type::HostList, .doc = "These failed nodes are back."},
    {.name = "drain", .type = Type::HostList, .doc = "These nodes take nothing new."},
    {.name = "resume", .type = Type::HostList, .doc = "These drained nodes serve again."},
    {.name = "cancel",
     .type = Type::Text,
     .doc = "The owner ends these jobs; a name or a pattern with `*`."},
    {.name = "hold", .type = Type::Text, .doc = "These jobs may not start."},
    {.name = "release", .type = Type::Text, .doc = "They may again."},
    {.name = "apply",
     .type = Type::Map,
     .doc = "This partial configuration comes into force.",
     .block = &kApplyPatch},
    {.name = "restart",
     .type = Type::Choice,
     .doc = "The controller is restarted from its saved state.",
     .words = kController},
}};

constexpr std::array<KeySpec, 16> kExpectKeys = {{
    {.name = "at", .type = Type::TimeRange, .doc = "When it must be so."},
    {.name = "running",
     .type = Type::TextList,
     .doc = "Jobs that run; names and patterns with `*`."},
    {.name = "pending", .type = Type::TextList, .doc = "Jobs that wait."},
    {.name = "order", .type = Type::TextList, .doc = "Order in which the named jobs started."},
    {.name = "queue",
     .type = Type::Text,
     .doc = "The queue that `jobs holds borrows charged` speak of."},
    {.name = "jobs",
     .type = Type::Integer,
     .doc = "How many jobs run in the queue.",
     .min = 0,
     .max = kSmallMax},
    {.name = "holds", .type = Type::Amounts, .doc = "Usage of the queue."},
    {.name = "borrows", .type = Type::Amounts, .doc = "Its usage above its guarantee."},
    {.name = "charged",
     .type = Type::Map,
     .doc = "What it was charged, refunds taken off.",
     .block = &kGpuHours},
    {.name = "job",
     .type = Type::Text,
     .doc = "The job that `starts ends runs evictions lost why` speak of."},
    {.name = "starts", .type = Type::TimeRange, .doc = "When it first started.", .words = kNever},
    {.name = "ends", .type = Type::TimeRange, .doc = "When it ended.", .words = kNever},
    {.name = "runs",
     .type = Type::Integer,
     .doc = "How often it was started.",
     .min = 0,
     .max = kSmallMax},
    {.name = "evictions",
     .type = Type::Integer,
     .doc = "How often it was stopped for others; without `job`: of all jobs.",
     .min = 0,
     .max = kSmallMax},
    {.name = "lost", .type = Type::Map, .doc = "Work that it lost.", .block = &kGpuHours},
    {.name = "why", .type = Type::Choice, .doc = "The reason why it waits.", .words = kReasons},
}};

constexpr std::array<KeySpec, 1> kGpuHourKeys = {{
    {.name = "gpu_hours", .type = Type::Count, .doc = "GPUs times hours.", .required = true},
}};

}  // namespace

constinit const Block kScenarioFile = {"scenario", "A scenario file",
                                       "A configuration with jobs, events and what must happen.",
                                       kScenarioKeys};
constinit const Block kJob = {"job", "`jobs[]`", "A job, or `count` equal ones.", kJobKeys};
constinit const Block kCheckpoint = {"checkpoint", "`jobs[].checkpoint`",
                                     "How a job saves its work.", kCheckpointKeys};
constinit const Block kElastic = {"elastic", "`jobs[].elastic`", "A gang of changing size.",
                                  kElasticKeys};
constinit const Block kEvent = {"event", "`events[]`", "`at` and exactly one thing that happens.",
                                kEventKeys};
constinit const Block kExpectation = {
    "expect", "`expect[]`",
    "One statement about jobs (`running pending`), a queue, a job, an order, or all evictions.",
    kExpectKeys};
constinit const Block kGpuHours = {"gpu_hours", "`charged`, `lost`", "An amount of GPU time.",
                                   kGpuHourKeys};

}  // namespace stint::codec
