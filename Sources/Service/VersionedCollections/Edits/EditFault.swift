package import SnapshotJSON

/// Why an edit was not applied; pointers are relative to the edit.
package enum EditFault: Error {
  /// It does not apply to the state of the collection.
  case conflict(_ pointer: String, _ detail: String)
  /// It is not a valid edit.
  case bad(_ pointer: String, _ detail: String)
  /// The resulting item or section is invalid.
  case badContent(SnapshotError)
  /// The result exceeds a limit.
  case limitPassed(PassedLimit)

  static func unknownItem(_ text: [UInt8]) -> EditFault {
    .conflict("", "there is no item \(quoted(text[...]))")
  }

  /// The failure of a whole write, not of one edit.
  var ofWhole: ServiceError {
    switch self {
    case .conflict(_, let detail): .badSnapshot(SnapshotError(.badSnapshot, "", detail))
    case .bad(let place, let detail): .badSnapshot(SnapshotError(.badSnapshot, place, detail))
    case .badContent(let error): .badSnapshot(error)
    case .limitPassed(let limit): .limitPassed(limit)
    }
  }

  package func failure(of edit: Edit) -> ServiceError {
    switch self {
    case .conflict(let place, let detail):
      .editConflict(SnapshotError.Entry(pointer: edit.pointer + place, detail: detail))
    case .bad(let place, let detail):
      .badSnapshot(SnapshotError(.badSnapshot, edit.pointer + place, detail))
    case .badContent(let error):
      .badSnapshot(error.moved(from: "", to: edit.pointer + "/value"))
    case .limitPassed(let limit):
      .limitPassed(
        PassedLimit(
          limit.quantity, edit.pointer + limit.pointer, limit.detail, limit: limit.limit))
    }
  }
}

func quoted(_ text: ArraySlice<UInt8>) -> String {
  "\"\(String(decoding: text, as: UTF8.self))\""
}

extension SnapshotError {
  static func tooManyItems(_ count: Int, limit: Int, at pointer: String = "") -> SnapshotError {
    SnapshotError(.tooManyItems, pointer, "\(count) items; at most \(limit)", limit: limit)
  }

  static func tooManySections(_ count: Int, limit: Int, at pointer: String = "") -> SnapshotError {
    SnapshotError(.tooManySections, pointer, "\(count) sections; at most \(limit)", limit: limit)
  }
}
