import SnapshotJSON

extension JSONPatch {
  /// Reads a patch from a body.
  static func read(
    _ body: [UInt8], _ reader: JSONReader, _ limits: ServiceLimits
  ) throws(ServiceError) -> JSONPatch {
    let document = try reader.document(body)
    do throws(JSONPatchError) {
      return try JSONPatch(document.root, operationsMax: limits.editsMax)
    } catch {
      throw ServiceError(error)
    }
  }

  /// The document with the patch applied.
  ///
  /// - Parameters:
  ///   - document: What is changed.
  ///   - overhead: How many bytes of it are no contents of the collection.
  ///   - limits: How large and how deep the document may become, in how many steps.
  /// - Returns: The result.
  /// - Throws: `editConflict` for what does not fit, `limitPassed`.
  func apply(
    to document: JSONValue, overhead: Int, _ limits: ServiceLimits
  ) throws(ServiceError) -> PatchedJSON {
    // A patch that makes sections makes brackets and commas, too; the contents are held against
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
  /// Why a patch was not applied.
  init(_ error: JSONPatchError) {
    let place = error.operation.map { "/\($0)" } ?? ""
    switch error {
    case .malformed(let pointer, let detail):
      self = .badSnapshot(SnapshotError(.badSnapshot, pointer, detail))
    case .notFound, .movedIntoItself, .testFailed:
      self = .editConflict(EditConflict(pointer: place, detail: error.detail))
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
