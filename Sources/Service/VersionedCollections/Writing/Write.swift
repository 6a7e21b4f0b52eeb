/// A change to one collection, with its body not yet parsed.
package struct Write: Sendable {
  package let name: ResourceName
  package let change: WriteRequest.Change
  package var precondition: Precondition
  package var answer: WriteRequest.Answer
  /// The place of the change in the body of a batch, as a JSON pointer; nil if it has a body of its own.
  ///
  /// The edits in a batch are the array alone.
  package var pointer: String?
  /// Whether it is part of deleting the client.
  package var isOfClient = false
  /// The version that a revert restores, with its contents, or the error; nil until it was looked for.
  package var target: Result<RetainedVersion, ServiceError>?

  package init(
    name: ResourceName, change: WriteRequest.Change, precondition: Precondition = Precondition(),
    answer: WriteRequest.Answer = .receipt, isOfClient: Bool = false
  ) {
    self.name = name
    self.change = change
    self.precondition = precondition
    self.answer = answer
    self.isOfClient = isOfClient
  }

  /// Whether the writer gave no precondition on the version.
  var lacksPrecondition: Bool { precondition.isEmpty && !isOfClient }

  package var isDelete: Bool { if case .delete = change { true } else { false } }

  /// Whether the collection must be loaded; a deletion does not need it, unless it names a version by another token.
  package var needsState: Bool { !isDelete || precondition.hasRestrictedToken }

  /// The number of bytes to process.
  package var byteCount: Int {
    switch change {
    case .put(let body), .edit(let body), .settings(let body, _): body.count
    // An error is the write's answer, once it is prepared.
    case .revert(let body): (try? target?.get().contents?.byteCount) ?? body.count
    case .delete: 0
    }
  }
}
