import Glibc

/// The arguments of the process, with the name of the program first.
enum ProcessArguments {
  /// The arguments; those that the kernel has if the runtime does not find any.
  ///
  /// On Linux the runtime looks for them below the environment. A library of `LD_PRELOAD` that changes the environment
  /// before the program starts moves it elsewhere, and `CommandLine.arguments` is then empty
  /// (https://github.com/swiftlang/swift/issues/76080).
  ///
  /// - Throws: `InputError` if they cannot be read: without arguments the program would print its help, and succeed.
  static func all() throws(InputError) -> [String] {
    let known = CommandLine.arguments
    return known.isEmpty ? arguments(in: try InputFile.read("/proc/self/cmdline")) : known
  }

  /// Parses arguments that end with a zero each.
  static func arguments(in bytes: [UInt8]) -> [String] {
    bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}
