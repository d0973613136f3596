// 128-bit integers for exact cross products; the one place that spells the compiler extension.
#pragma once

namespace stint::base {

__extension__ using i128 = __int128;
__extension__ using u128 = unsigned __int128;

}  // namespace stint::base
