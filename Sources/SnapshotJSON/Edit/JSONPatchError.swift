/// Why a JSON patch was not applied; then nothing of it was.
public enum JSONPatchError: Error, Hashable, Sendable {
  /// The patch has not the shape of one; `pointer` says where in the patch.
  case malformed(pointer: String, detail: String)
  /// Operation number `operation`, from 0, names a place that does not exist.
  case notFound(operation: Int, path: String)
  /// What a `test` operation expected is not there.
  case testFailed(operation: Int, path: String)
  /// There are more operations than `limit`.
  case tooManyOperations(limit: Int)
  /// After this operation the result has more bytes than `limit`.
  case tooLarge(operation: Int, limit: Int)
  /// After this operation the result is nested deeper than `limit`.
  case tooDeep(operation: Int, limit: Int)
}

extension JSONPatchError: CustomStringConvertible {
  /// What is wrong and where, in one sentence.
  public var description: String {
    switch self {
    case .malformed(let pointer, let detail): "\(pointer): \(detail)"
    case .notFound(let operation, let path): "operation \(operation): nothing at \"\(path)\""
    case .testFailed(let operation, let path):
      "operation \(operation): the value at \"\(path)\" is another"
    case .tooManyOperations(let limit): "at most \(limit) operations"
    case .tooLarge(let operation, let limit):
      "operation \(operation): the result has more than \(limit) bytes"
    case .tooDeep(let operation, let limit):
      "operation \(operation): the result is nested deeper than \(limit)"
    }
  }
}
