/// An error in the description of a view.
package struct ViewError: Error, Hashable, Sendable {
  /// The parameter, such as `where`.
  package var parameter: String
  /// Which of several parameters of that name it is, counted from 0.
  package var index: Int
  /// The offset of the error in the parameter's text, in UTF-8 bytes.
  package var offset: Int
  /// What is wrong there or expected.
  package var detail: String
  package var limit: Int?

  package init(
    parameter: String = "", index: Int = 0, offset: Int = 0, detail: String, limit: Int? = nil
  ) {
    (self.parameter, self.index, self.offset) = (parameter, index, offset)
    (self.detail, self.limit) = (detail, limit)
  }

  /// The names of parameters that may occur several times.
  static let repeatable: Set<String> = ["where", "order"]

  /// The JSON pointer to the text, in a view that is given as JSON.
  package var pointer: String {
    Self.repeatable.contains(parameter) ? "/\(parameter)/\(index)" : "/\(parameter)"
  }
}

extension ViewError: CustomStringConvertible {
  /// A one-sentence description with the parameter and the offset.
  package var description: String {
    let ordinal = Self.repeatable.contains(parameter) ? "[\(index)]" : ""
    return "\(parameter)\(ordinal), byte \(offset): \(detail)"
  }
}
