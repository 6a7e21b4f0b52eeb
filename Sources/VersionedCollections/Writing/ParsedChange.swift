import SnapshotJSON

/// A change whose body has been parsed.
enum ParsedChange {
  case put(ParsedSnapshot)
  case edit(EditList)
  case patch(JSONPatch)
  case settings(SettingsChange)
  case revert(RetainedVersion)
  case delete

  /// Parses a change, whose body is read by the settings of the collection it changes, if there is one.
  init(
    _ change: Write.Change, of state: CollectionState?, _ reader: JSONReader,
    _ limits: ServiceLimits
  ) throws(ServiceError) {
    switch change {
    case .put(let body):
      let text = body.text
      if let state, let known = ParsedSnapshot.read(text, reader, limits, beside: state) {
        self = .put(known)
      } else {
        self = .put(
          try .read(text, reader, limits, settings: state?.settings, pointer: body.pointer))
      }
    case .edit(let body): self = .edit(try EditList(body, reader, limits, state?.settings))
    case .patch(let body): self = .patch(try .read(body.text, reader, limits))
    case .settings(let body, let isPatch):
      self = .settings(try SettingsChange(body.text, isPatch: isPatch, reader, limits))
    case .revert(let revert): self = .revert(try revert.version())
    case .delete: self = .delete
    }
  }

  /// Adds the version in the body to a precondition that requires it.
  ///
  /// - Throws: `preconditionRequired` if the body has no version, `badToken` if it is not a token,
  ///   `versionConflict` if it contradicts the precondition.
  func completed(_ precondition: Precondition) throws(ServiceError) -> Precondition {
    guard precondition.isInBody else { return precondition }
    guard case .put(let parsed) = self, let version = parsed.snapshot.version else {
      throw .preconditionRequired
    }
    let text = parsed.snapshot.bytes(version)
    guard text.count > 2,
      let token = VersionToken(String(decoding: text.dropFirst().dropLast(), as: UTF8.self))
    else { throw .badToken(pointer: "/version") }
    var precondition = precondition
    if let named = precondition.version, named != token { throw .versionConflict }
    precondition.version = token
    return precondition
  }
}

extension EditList {
  /// Parses edits from a body or from a part of a batch.
  fileprivate init(
    _ body: WriteBody, _ reader: JSONReader, _ limits: ServiceLimits,
    _ settings: CollectionSettings?
  ) throws(ServiceError) {
    let root = try reader.document(body.text).root
    let options = (settings ?? CollectionSettings()).itemOptions
    self = try ServiceError.checking { () throws(SnapshotError) in
      body.isPart
        ? try Self.read(
          Array(root.elements), pointer: body.pointer, reader: reader, limits: limits,
          options: options)
        : try Self.read(root, reader: reader, limits: limits, options: options)
    }
  }
}
