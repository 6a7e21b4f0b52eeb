/// Why a store cannot commit writes; the raw value is the code of the problem that a writer gets.
public enum StoreOutage: String, Sendable {
  /// The disk is full.
  case full = "storage-full"
  /// The store cannot be reached or written to.
  case unavailable = "store-unavailable"
}
