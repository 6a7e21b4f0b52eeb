/// Why a JSON Patch was not applied; the document has not been changed.
public enum JSONPatchError: Error, Hashable, Sendable {
  /// The patch is invalid at `pointer`.
  case malformed(pointer: String, detail: String)
  /// Operation number `operation`, counted from 0, refers to a location that does not exist.
  case notFound(operation: Int, path: String)
  /// An operation moves a value into itself.
  case movedIntoItself(operation: Int, path: String)
  /// The value of a `test` operation differs.
  case testFailed(operation: Int, path: String)
  /// There are more operations than `limit`.
  case tooManyOperations(limit: Int)
  /// After this operation the result has more bytes than `limit`.
  case tooLarge(operation: Int, limit: Int)
  /// After this operation the result is nested deeper than `limit`.
  case tooDeep(operation: Int, limit: Int)
  /// Up to this operation the patch takes more steps than `limit`.
  case tooMuchWork(operation: Int, limit: Int)
}

extension JSONPatchError: CustomStringConvertible {
  /// A one-sentence description with the operation.
  public var description: String {
    guard let operation else { return detail }
    return "operation \(operation): \(detail)"
  }

  /// The number of the failed operation, from 0; nil if the patch itself is at fault.
  public var operation: Int? {
    switch self {
    case .malformed, .tooManyOperations: nil
    case .notFound(let operation, _), .movedIntoItself(let operation, _),
      .testFailed(let operation, _), .tooLarge(let operation, _), .tooDeep(let operation, _),
      .tooMuchWork(let operation, _):
      operation
    }
  }

  /// The description without the operation.
  public var detail: String {
    switch self {
    case .malformed(let pointer, let detail): "\(pointer): \(detail)"
    case .notFound(_, let path): "there is nothing at \"\(path)\""
    case .movedIntoItself(_, let path): "a value cannot be moved into itself, to \"\(path)\""
    case .testFailed(_, let path): "the value at \"\(path)\" is not the expected one"
    case .tooManyOperations(let limit): "at most \(limit) operations"
    case .tooLarge(_, let limit): "the document would have more than \(limit) bytes"
    case .tooDeep(_, let limit): "the document would be nested deeper than \(limit)"
    case .tooMuchWork(_, let limit):
      "the patch takes more than \(limit) steps: send fewer operations on large values"
    }
  }
}
