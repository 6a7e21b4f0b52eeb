package import SnapshotJSON

extension JSONPatch {
  /// Parses a patch from a body.
  package static func read(
    _ body: [UInt8], _ reader: JSONReader, _ limits: ServiceLimits
  ) throws(ServiceError) -> JSONPatch {
    let document = try reader.document(body)
    do throws(JSONPatchError) {
      return try JSONPatch(document.root, operationsMax: limits.editsMax)
    } catch {
      throw ServiceError(error)
    }
  }

  /// Applies the patch to a document, of which `overhead` bytes are not part of the collection's contents.
  package func apply(
    to document: JSONValue, overhead: Int, _ limits: ServiceLimits
  ) throws(ServiceError) -> PatchedJSON {
    // A patch that adds sections also adds brackets and commas. The contents are checked against
    // the limit again when they are committed.
    let bounds = Limits(
      byteCountMax: limits.collectionBytesMax + overhead + 32 * limits.sectionsMax,
      depthMax: limits.depthMax, stepsMax: limits.patchStepsMax)
    do throws(JSONPatchError) {
      return try apply(to: document, limits: bounds)
    } catch {
      if case .tooLarge(let operation, _) = error {
        throw .limitPassed(
          PassedLimit(
            .bytes, "/\(operation)", PassedLimit.contents(limits.collectionBytesMax),
            limit: limits.collectionBytesMax))
      }
      throw ServiceError(error)
    }
  }
}

extension ServiceError {
  /// Creates the failure of a patch.
  package init(_ error: JSONPatchError) {
    let place = error.operation.map { "/\($0)" } ?? ""
    switch error {
    case .malformed(let pointer, let detail):
      self = .badSnapshot(SnapshotError(.badSnapshot, pointer, detail))
    case .notFound, .movedIntoItself, .testFailed:
      self = .editConflict(SnapshotError.Entry(pointer: place, detail: error.detail))
    case .tooManyOperations(let limit):
      self = .badSnapshot(SnapshotError(.tooManyItems, "", error.detail, limit: limit))
    case .tooLarge(_, let limit):
      self = .limitPassed(PassedLimit(.bytes, place, error.detail, limit: limit))
    case .tooDeep(_, let limit):
      self = .limitPassed(PassedLimit(.depth, place, error.detail, limit: limit))
    case .tooMuchWork(_, let limit):
      self = .limitPassed(PassedLimit(.work, place, error.detail, limit: limit))
    }
  }
}
