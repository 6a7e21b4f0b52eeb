/// An edit that does not apply to the current state of the collection.
public struct EditConflict: Error, Hashable, Sendable {
  /// The JSON pointer to the edit.
  public var pointer: String
  /// Which item or section does not exist, or already exists.
  public var detail: String
}
