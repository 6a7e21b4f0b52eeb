import ArgumentParser

/// A number of bytes on the command line: `536870912`, `512M`, `2G`.
struct ByteCount: ExpressibleByArgument {
  let value: Int

  init?(argument: String) {
    let shifts: [Character: Int] = ["K": 10, "M": 20, "G": 30]
    let shift = argument.last.flatMap { shifts[Character($0.uppercased())] }
    guard let number = Int(shift == nil ? argument[...] : argument.dropLast()), number >= 0,
      number <= Int.max >> (shift ?? 0)
    else { return nil }
    value = number << (shift ?? 0)
  }
}
