import Foundation

/// Returns how many rounds a random test makes: `count` where tests are built optimized, and a tenth of
/// them in a debug build.
///
/// The environment variable `ROUNDS` multiplies either; `scripts/test collections` sets it.
package func rounds(_ count: Int) -> Int {
  let factor = ProcessInfo.processInfo.environment["ROUNDS"].flatMap { Int($0) } ?? 1
  #if DEBUG
    return max(1, count / 10) * factor
  #else
    return count * factor
  #endif
}
