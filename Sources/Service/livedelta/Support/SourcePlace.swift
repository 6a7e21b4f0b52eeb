/// A line and a column of an input, both from 1; columns count Unicode scalars.
struct SourcePlace: Hashable, Sendable, CustomStringConvertible {
  var file: String
  var line: Int
  var column: Int

  var description: String { "\(file):\(line):\(column)" }
}
