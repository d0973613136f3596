#include "sim/gen/gen_presets.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/assert.h"
#include "base/quote.h"
#include "base/suggest.h"

namespace stint::sim {

namespace {

constexpr std::array<GenValue, 27> kPhilly{{
    {"jobs", "0"},
    {"days", "56"},
    {"nodes", "352"},
    {"load", "0.85"},
    {"pools", "p100:1:8:64:512Gi"},
    {"rack_nodes", "16"},
    {"block_racks", "4"},
    {"teams", "11"},
    {"names",
     "vc-6214 vc-11cb vc-6c71 vc-b436 vc-1039 vc-ee9e vc-0e4a vc-ed69 vc-7f04 vc-2869 "
     "vc-e138"},
    {"team_shares", "53.30 19.06 11.82 9.44 2.05 0.78 1.42 1.48 0.27 0.08 0.28"},
    {"team_shares_big", "6.85 26.41 16.00 3.31 6.46 16.26 6.14 0.01 9.23 6.37 2.83"},
    {"guarantee_shares", "64 16 32 64 8 64 32 8 32 16 16"},
    {"promised", "1"},
    {"users", "320"},
    {"hours", "53 41 47 46 29 48 70 87 46 42 43 36 31 29 27 27 37 28 33 30 42 38 47 42"},
    {"week", "123 152 163 184 206 87 85"},
    {"swing", "0.3"},
    {"sweep_share", "0.04"},
    {"gangs",
     "1:93.167 2:2.21 4:2.274 8:1.998 12:0.009 16:0.242 24:0.009 32:0.081 64:0.007 "
     "128:0.004"},
    {"cpu_per_gpu", "6"},
    {"memory_per_gpu", "48Gi"},
    {"run_one",
     "0:1s 1:30s 5:52s 10:62s 20:76s 25:122s 30:215s 35:385s 40:600s 45:855s 50:1117s "
     "60:1728s 70:2464s 80:3754s 90:8512s 95:19137s 98:68259s 99:135404s 99.5:266986s "
     "99.9:868927s 100:3256045s"},
    {"run_part",
     "0:2s 1:6s 5:11s 10:15s 20:19s 25:21s 30:25s 35:33s 40:85s 45:149s 50:367s "
     "60:5581s 70:25432s 80:79264s 90:166199s 95:233725s 98:467815s 99:748678s "
     "99.5:1127338s 99.9:2416865s 100:2750674s"},
    {"run_node",
     "0:1s 1:33s 5:125s 10:216s 20:783s 25:1871s 30:3940s 35:7268s 40:12390s 45:16653s "
     "50:23683s 60:64753s 70:140815s 80:203140s 90:352409s 95:525631s 98:807057s "
     "99:1066894s 99.5:2010727s 99.9:2658784s 100:4628226s"},
    {"run_many",
     "0:1s 1:2s 5:35s 10:69s 20:345s 25:566s 30:880s 35:1571s 40:3165s 45:8846s "
     "50:21137s 60:53862s 70:73728s 80:159985s 90:252560s 95:446126s 98:622377s "
     "99:1152387s 99.5:1369876s 99.9:1710643s 100:1710643s"},
    {"limits", "1h 4h 12h 24h 48h 4d 7d 14d"},
    {"timeout", "0.05"},
}};

constexpr std::array<GenValue, 29> kHelios{{
    {"jobs", "0"},
    {"days", "28"},
    {"nodes", "107"},
    {"load", "0.739"},
    {"pools", "v100:1:8:48:384Gi"},
    {"rack_nodes", "8"},
    {"block_racks", "7"},
    {"teams", "16"},
    {"names",
     "vc3sl vc6YE vc8Sj vcJLV vcJkd vcLJZ vcMod vcSoL vcTJs vccaA vcdI0 vcgkz vchbv "
     "vcira vcpDC vcvlY"},
    {"team_shares", "40.1 187.7 23.9 11.5 0.1 55.8 32.8 15.2 35.0 14.3 4.5 7.3 26.3 0.5 51.0 64.7"},
    {"guarantee_shares", "64 208 48 16 16 64 64 32 48 32 16 8 64 24 56 96"},
    {"promised", "1"},
    {"users", "200"},
    {"hours", "48 34 30 29 28 30 30 32 34 36 54 55 42 41 54 54 58 54 43 45 47 41 40 39"},
    {"week", "100 100 100 100 100 80 75"},
    {"swing", "0.3"},
    {"sweep_share", "0.04"},
    {"gangs", "1:77.7 2:8.5 4:5.5 8:6.5 16:0.9 32:0.5 64:0.13 128:0.03"},
    {"cpu_jobs", "0.511"},
    {"cpu_sizes", "1:5 2:2 4:2 8:1"},
    {"cpu_per_gpu", "5"},
    {"memory_per_gpu", "40Gi"},
    {"run_cpu",
     "0:1s 1:1s 5:1s 10:1s 20:1s 25:1s 30:1s 40:1s 50:1s 60:2s 70:3s 75:4s 80:6s 90:16s "
     "95:36s 98:89s 99:161s 99.5:277s 99.9:853s 100:864000s"},
    {"run_one",
     "0:1s 1:1s 5:4s 10:10s 20:28s 25:42s 30:61s 40:118s 50:218s 60:404s 70:780s "
     "75:1123s 80:1685s 90:4901s 95:11841s 98:31951s 99:61929s 99.5:113484s "
     "99.9:395629s 100:1728000s"},
    {"run_part",
     "0:1s 1:1s 5:4s 10:11s 20:31s 25:47s 30:67s 40:130s 50:240s 60:444s 70:858s "
     "75:1235s 80:1853s 90:5392s 95:13025s 98:35146s 99:68122s 99.5:124832s "
     "99.9:435191s 100:2592000s"},
    {"run_node",
     "0:1s 1:1s 5:7s 10:18s 20:51s 25:76s 30:110s 40:212s 50:393s 60:727s 70:1404s "
     "75:2021s 80:3032s 90:8823s 95:21313s 98:57512s 99:111473s 99.5:204271s "
     "99.9:712131s 100:3456000s"},
    {"run_many",
     "0:1s 1:1s 5:7s 10:20s 20:73s 25:119s 30:186s 40:413s 50:873s 60:1846s 70:4112s "
     "75:6406s 80:10495s 90:38497s 95:112599s 98:376829s 99:843115s 99.5:1761852s "
     "99.9:4320009s 100:4320009s"},
    {"limits", "1h 4h 12h 24h 48h 7d"},
    {"timeout", "0.05"},
}};

constexpr std::array<GenValue, 29> kAcme{{
    {"jobs", "0"},
    {"days", "28"},
    {"nodes", "286"},
    {"load", "0.8"},
    {"pools", "a100:1:8:128:1Ti"},
    {"rack_nodes", "16"},
    {"block_racks", "9"},
    {"teams", "10"},
    {"names", "pretrain finetune evaluate multimodal align data vision speech infra interns"},
    {"guarantee_shares", "50 12 6 10 6 2 6 4 4 0"},
    {"promised", "0.9"},
    {"users", "160"},
    {"hours", "48 34 30 29 28 30 30 32 34 36 54 55 42 41 54 54 58 54 43 45 47 41 40 39"},
    {"week", "100 100 100 100 100 75 70"},
    {"swing", "0.4"},
    {"sweep_share", "0.05"},
    {"gangs", "1:68.5 2:7 4:5 8:13 16:3 32:2 64:0.9 128:0.4 256:0.2 512:0.1 1024:0.04"},
    {"cpu_jobs", "0.356"},
    {"cpu_sizes", "1:4 4:3 8:2 32:1"},
    {"cpu_per_gpu", "16"},
    {"memory_per_gpu", "120Gi"},
    {"run_cpu",
     "0:1s 1:1s 5:1s 10:1s 20:1s 25:2s 30:3s 40:7s 50:14s 60:28s 70:59s 75:89s 80:140s "
     "90:468s 95:1265s 98:3875s 99:8174s 99.5:16184s 99.9:66188s 100:864000s"},
    {"run_one",
     "0:1s 1:1s 5:5s 10:10s 20:23s 25:32s 30:43s 40:72s 50:117s 60:190s 70:319s 75:426s "
     "80:586s 90:1361s 95:2729s 98:5971s 99:10064s 99.5:16228s 99.9:43458s 100:604800s"},
    {"run_part",
     "0:1s 1:1s 5:5s 10:10s 20:23s 25:32s 30:43s 40:72s 50:117s 60:190s 70:319s 75:426s "
     "80:586s 90:1361s 95:2729s 98:5971s 99:10064s 99.5:16228s 99.9:43458s 100:604800s"},
    {"run_node",
     "0:1s 1:2s 5:6s 10:12s 20:28s 25:39s 30:51s 40:86s 50:140s 60:228s 70:383s 75:511s "
     "80:703s 90:1633s 95:3275s 98:7166s 99:12077s 99.5:19473s 99.9:52149s 100:864000s"},
    {"run_many",
     "0:1s 1:1s 5:2s 10:4s 20:15s 25:25s 30:39s 40:84s 50:175s 60:365s 70:799s 75:1233s "
     "80:1999s 90:7133s 95:20389s 98:66496s 99:146240s 99.5:300822s 99.9:1209604s "
     "100:1209604s"},
    {"limits", "1h 4h 12h 24h 48h 7d"},
    {"timeout", "0.05"},
    {"priority_share", "0.01"},
}};

constexpr std::array<GenValue, 28> kPai{{
    {"jobs", "0"},
    {"days", "2"},
    {"nodes", "1523"},
    {"load", "0.8"},
    {"pools",
     "g2:549:8:96:384Gi t4:387:2:104:512Gi cpu:129:0:32:256Gi p100:107:2:16:120Gi "
     "cpu:59:0:96:512Gi g3:39:8:128:768Gi cpu:30:0:96:384Gi v100m16:28:4:32:128Gi "
     "cpu:23:0:32:128Gi p100:22:2:64:256Gi cpu:22:0:64:512Gi v100m32:21:8:96:768Gi "
     "cpu:20:0:104:512Gi v100m16:19:1:8:32Gi t4:17:4:96:384Gi cpu:10:0:32:64Gi "
     "v100m32:9:4:48:368Gi cpu:8:0:64:256Gi v100m16:7:8:64:256Gi cpu:4:0:64:128Gi "
     "p100:3:1:8:60Gi cpu:3:0:104:768Gi a10:2:1:128:1024Gi p100:2:2:8:60Gi "
     "v100m16:1:8:82:336Gi cpu:1:0:96:768Gi cpu:1:0:104:192Gi"},
    {"rack_nodes", "16"},
    {"block_racks", "8"},
    {"teams", "12"},
    {"team_skew", "1"},
    {"promised", "0.8"},
    {"guests", "3"},
    {"users", "600"},
    {"hours", "48 34 30 29 28 30 30 32 34 36 54 55 42 41 54 54 58 54 43 45 47 41 40 39"},
    {"sweep_share", "0.06"},
    {"sweep_sizes", "5:3 10:3 20:2 50:1 100:1"},
    {"gangs",
     "0.05:7 0.11:24 0.14:1 0.16:74 0.22:62 0.23:140 0.27:4 0.29:1 0.32:328 0.33:7 "
     "0.35:6 0.37:47 0.44:2 0.46:128 0.47:750 0.48:19 0.55:72 0.59:75 0.65:253 "
     "0.81:1078 1:3911 2:16 4:15 8:44"},
    {"cpu_jobs", "0.133"},
    {"cpu_sizes", "4:4 8:3 16:2"},
    {"cpu_per_gpu", "8"},
    {"memory_per_gpu", "30Gi"},
    {"model_share", "0.33"},
    {"run_cpu",
     "0:1s 1:3s 5:14s 10:30s 20:78s 25:112s 30:155s 40:278s 50:481s 60:830s 70:1491s "
     "75:2061s 80:2956s 90:7641s 95:16738s 98:40459s 99:72869s 99.5:124854s "
     "99.9:378967s 100:626371s"},
    {"run_one",
     "0:1s 1:3s 5:14s 10:30s 20:78s 25:112s 30:155s 40:278s 50:481s 60:830s 70:1491s "
     "75:2061s 80:2956s 90:7641s 95:16738s 98:40459s 99:72869s 99.5:124854s "
     "99.9:378967s 100:626371s"},
    {"run_part",
     "0:1s 1:3s 5:14s 10:30s 20:78s 25:112s 30:155s 40:278s 50:481s 60:830s 70:1491s "
     "75:2061s 80:2956s 90:7641s 95:16738s 98:40459s 99:72869s 99.5:124854s "
     "99.9:378967s 100:626371s"},
    {"run_node",
     "0:1s 1:3s 5:14s 10:30s 20:78s 25:112s 30:155s 40:278s 50:481s 60:830s 70:1491s "
     "75:2061s 80:2956s 90:7641s 95:16738s 98:40459s 99:72869s 99.5:124854s "
     "99.9:378967s 100:626371s"},
    {"run_many",
     "0:1s 1:3s 5:14s 10:30s 20:78s 25:112s 30:155s 40:278s 50:481s 60:830s 70:1491s "
     "75:2061s 80:2956s 90:7641s 95:16738s 98:40459s 99:72869s 99.5:124854s "
     "99.9:378967s 100:626371s"},
    {"limits", "1h 4h 12h 24h 48h 7d"},
    {"saves_one", "0.1"},
}};

constexpr std::array<GenValue, 35> kResearch{{
    {"jobs", "0"},
    {"days", "14"},
    {"nodes", "64"},
    {"load", "0.954"},
    {"pools", "h100:48:8:96:1Ti a100:16:8:64:512Gi"},
    {"rack_nodes", "8"},
    {"block_racks", "6"},
    {"teams", "7"},
    {"names", "vision-train vision-debug nlp robotics speech bio students"},
    {"team_shares", "0.01 9.29 0.01 25.34 0.01 41.96 23.41"},
    {"team_shares_big", "12.25 3.41 2.96 38.70 12.07 16.15 14.46"},
    {"guarantee_shares", "96 32 128 64 64 64 0"},
    {"promised", "0.875"},
    {"guests", "1"},
    {"users", "54"},
    {"guest_user_limit", "16"},
    {"hours", "16 34 26 24 26 25 14 27 35 50 46 70 78 78 71 77 66 61 37 43 26 28 24 18"},
    {"week", "168 180 178 179 181 58 56"},
    {"swing", "0.2"},
    {"sweep_share", "0.2"},
    {"sweep_sizes", "6:1 10:1 15:1 20:1 24:1"},
    {"gangs", "1:7000 2:1722 4:1741 8:1659 16:194 32:131 64:51 128:13"},
    {"cpu_per_gpu", "8"},
    {"memory_per_gpu", "64Gi"},
    {"run_one",
     "0:26s 1:113s 5:254s 10:399s 20:691s 30:1056s 40:1572s 50:2250s 60:3152s 70:4585s "
     "80:7383s 90:13998s 95:24186s 98:41477s 99:59764s 99.5:86653s 99.9:179571s "
     "100:360000s"},
    {"run_part",
     "0:25s 1:131s 5:289s 10:446s 20:791s 30:1231s 40:1842s 50:2594s 60:3731s 70:5381s "
     "80:8135s 90:14648s 95:24039s 98:42941s 99:63081s 99.5:90224s 99.9:176816s "
     "100:360000s"},
    {"run_node",
     "0:41s 1:133s 5:343s 10:601s 20:1151s 30:1831s 40:2770s 50:4045s 60:5794s 70:8252s "
     "80:12831s 90:23156s 95:38415s 98:60970s 99:88003s 99.5:117501s 99.9:259546s "
     "100:270879s"},
    {"run_many",
     "0:344s 1:593s 5:1799s 10:2619s 20:4758s 30:6276s 40:8726s 50:11349s 60:15582s "
     "70:21188s 80:31536s 90:60989s 95:89734s 98:138955s 99:195165s 99.5:225161s "
     "99.9:360000s 100:360000s"},
    {"limits", "30m 1h 2h 4h 8h 12h 24h 48h 3d 7d"},
    {"estimate", "1.3:1 1.6:1 2:1 3:1 5:1"},
    {"timeout", "0"},
    {"saves_one", "0.8"},
    {"saves_node", "0.8"},
    {"saves_many", "1"},
    {"save_every", "30m:1"},
}};

constexpr std::array<GenValue, 32> kYear{{
    {"jobs", "10000000"},
    {"days", "365"},
    {"nodes", "12500"},
    {"load", "0.87"},
    {"pools", "h100:1:8:96:1Ti"},
    {"rack_nodes", "25"},
    {"block_racks", "20"},
    {"orgs", "16"},
    {"teams", "192"},
    {"team_skew", "0.7"},
    {"promised", "0.9"},
    {"guests", "12"},
    {"weights", "1 1 2 1 4"},
    {"limit_factor", "4"},
    {"org_limit_factor", "2"},
    {"users", "6000"},
    {"hours", "40 32 28 26 26 30 40 55 75 95 105 110 100 105 112 115 112 105 92 80 72 65 58 48"},
    {"week", "100 104 104 104 98 55 50"},
    {"season", "95 90 96 104 118 104 88 84 108 118 110 75"},
    {"swing", "0.5"},
    {"sweep_share", "0.08"},
    {"sweep_sizes", "4:4 8:4 16:3 32:2 64:1"},
    {"gangs", "1:40 2:12 4:12 8:22 16:6 32:4 64:2 128:1 256:0.5 512:0.25 1024:0.1"},
    {"cpu_per_gpu", "12"},
    {"memory_per_gpu", "0Mi"},
    {"run_one", "0:10s 10:1m 25:5m 50:20m 75:90m 90:6h 97:1d 100:7d"},
    {"run_part", "0:10s 10:90s 25:8m 50:30m 75:150m 90:8h 97:1d 100:7d"},
    {"run_node", "0:10s 10:90s 25:10m 50:1h 75:4h 90:12h 97:36h 100:7d"},
    {"run_many", "0:10s 10:90s 25:15m 50:80m 75:330m 90:17h 97:45h 100:7d"},
    {"limits", "1h 4h 12h 24h 48h 4d 7d"},
    {"timeout", "0.03"},
    {"priority_share", "0.02"},
}};

constexpr std::array kPresets{
    GenPreset{
        "philly",
        "Microsoft Philly, 2017: 11 virtual clusters on 352 nodes of 8 GPUs, mostly one-GPU jobs",
        kPhilly},
    GenPreset{"helios",
              "SenseTime Helios, cluster Earth, 2020: 16 virtual clusters on 107 nodes of 8 GPUs, "
              "half of the jobs without GPU",
              kHelios},
    GenPreset{"acme",
              "Shanghai AI Lab Acme, cluster Seren, 2023: large models on 286 nodes of 8 GPUs, "
              "many small jobs, few of 1,024 GPUs",
              kAcme},
    GenPreset{"pai",
              "Alibaba PAI: parts of GPUs on 1,523 nodes of seven GPU models, many without GPU; "
              "requests and nodes of 2023, lengths of 2020",
              kPai},
    GenPreset{"research",
              "the shipped example: seven teams, 64 nodes, two weeks, sweeps, overestimated limits",
              kResearch},
    GenPreset{"year",
              "nobody in particular: a year of 100,000 GPUs and 10 million jobs, for the bench; "
              "three levels, gangs of whole nodes",
              kYear},
};

}  // namespace

std::span<const GenPreset> gen_presets() { return kPresets; }

base::Result<GenSettings> gen_settings(std::string_view preset) {
  std::vector<std::string> names;
  for (const GenPreset& candidate : kPresets) {
    names.emplace_back(candidate.name);
    if (candidate.name != preset) continue;
    GenSettings settings;
    for (const auto& [key, value] : candidate.values) {
      const auto done = settings.set(key, value, false);
      STINT_ASSERT(done.has_value());
    }
    return settings;
  }
  const auto near = base::did_you_mean(preset, names);
  if (near) {
    return base::refuse(
        fmt::format("unknown preset {}, did you mean {}?", base::quote(preset), *near));
  }
  return base::refuse(
      fmt::format("unknown preset {}; there are {}", base::quote(preset), fmt::join(names, ", ")));
}

}  // namespace stint::sim
