import SnapshotJSON

/// A change whose body was read, for better or worse.
enum ReadChange {
  case put(Result<ParsedSnapshot, ServiceError>)
  case edit(Result<EditList, ServiceError>)
  case patch(Result<JSONPatch, ServiceError>)
  case settings(Result<SettingsChange, ServiceError>)
  case delete

  /// Reads a change beside the collection that it is about.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - state: The collection, whose settings say how the body is read; nil when there is none.
  ///   - reader: Reads JSON.
  ///   - limits: What a body may hold.
  init(
    _ change: Write.Change, of state: CollectionState?, _ reader: JSONReader,
    _ limits: ServiceLimits
  ) {
    switch change {
    case .put(let body):
      let text = body.text
      if let state, let known = ParsedSnapshot.read(text, reader, limits, beside: state) {
        self = .put(.success(known))
      } else {
        self = .put(
          ParsedSnapshot.read(
            text, reader, limits, settings: state?.settings, pointer: body.pointer))
      }
    case .edit(let body): self = .edit(EditList.read(body, reader, limits, state?.settings))
    case .patch(let body): self = .patch(JSONPatch.read(body.text, reader, limits))
    case .settings(let body, let isPatch):
      self = .settings(SettingsChange.read(body.text, isPatch: isPatch, reader, limits))
    case .delete: self = .delete
    }
  }

  /// What is wrong with the body.
  var error: ServiceError? {
    switch self {
    case .put(.failure(let error)), .edit(.failure(let error)), .patch(.failure(let error)),
      .settings(.failure(let error)):
      error
    case .put(.success), .edit(.success), .patch(.success), .settings(.success), .delete: nil
    }
  }
}

extension EditList {
  /// Reads edits from a body, or from a part of a batch's.
  fileprivate static func read(
    _ body: WriteBody, _ reader: JSONReader, _ limits: ServiceLimits,
    _ settings: CollectionSettings?
  ) -> Result<EditList, ServiceError> {
    let document: JSONDocument
    do throws(JSONError) {
      document = try reader.read(body.text)
    } catch {
      return .failure(.badJSON(error))
    }
    let options = (settings ?? CollectionSettings()).itemOptions
    do throws(SnapshotError) {
      guard body.isPart else {
        return .success(
          try read(document.root, reader: reader, limits: limits, options: options))
      }
      return .success(
        try read(
          Array(document.root.elements), pointer: body.pointer, reader: reader, limits: limits,
          options: options))
    } catch {
      return .failure(.badSnapshot(error))
    }
  }
}
