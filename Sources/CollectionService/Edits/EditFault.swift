import SnapshotJSON

/// Why an edit did not go through.
enum EditFailure: Error {
  /// It does not fit the collection.
  case conflict(EditConflict)
  /// What came of it is no item or section.
  case bad(SnapshotError)
  /// It makes more than may be.
  case limitPassed(PassedLimit)
}

/// A failure at a place within an edit.
enum EditFault: Error {
  case conflict(String, String)
  case bad(String, String)
  case badContent(SnapshotError)
  case limitPassed(PassedLimit)

  static func unknownItem(_ text: [UInt8]) -> EditFault {
    .conflict("", "there is no item \(quoted(text[...]))")
  }

  /// The failure of what is not about one edit.
  var ofWhole: ServiceError {
    switch self {
    case .conflict(_, let detail): .badSnapshot(SnapshotError(.badSnapshot, "", detail))
    case .bad(let place, let detail): .badSnapshot(SnapshotError(.badSnapshot, place, detail))
    case .badContent(let error): .badSnapshot(error)
    case .limitPassed(let limit): .limitPassed(limit)
    }
  }

  func failure(of edit: Edit) -> EditFailure {
    switch self {
    case .conflict(let place, let detail):
      .conflict(EditConflict(pointer: edit.pointer + place, detail: detail))
    case .bad(let place, let detail):
      .bad(SnapshotError(.badSnapshot, edit.pointer + place, detail))
    case .badContent(let error):
      .bad(error.moved(from: "", to: edit.pointer + "/value"))
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

extension EditFailure {
  /// What a writer is told.
  var serviceError: ServiceError {
    switch self {
    case .conflict(let conflict): .editConflict(conflict)
    case .bad(let error): .badSnapshot(error)
    case .limitPassed(let limit): .limitPassed(limit)
    }
  }
}

extension SnapshotError {
  /// More items than a collection may have.
  static func tooManyItems(_ count: Int, limit: Int, at pointer: String = "") -> SnapshotError {
    SnapshotError(.tooManyItems, pointer, "\(count) items; at most \(limit)", limit: limit)
  }

  /// More sections than a collection may have.
  static func tooManySections(_ count: Int, limit: Int, at pointer: String = "") -> SnapshotError {
    SnapshotError(.tooManySections, pointer, "\(count) sections; at most \(limit)", limit: limit)
  }
}

extension PassedLimit {
  /// More bytes than a collection's contents may have.
  static func contents(_ limits: ServiceLimits, at pointer: String = "") -> PassedLimit {
    PassedLimit(
      .bytes, pointer, contents(limits.collectionBytesMax), limit: limits.collectionBytesMax)
  }
}
