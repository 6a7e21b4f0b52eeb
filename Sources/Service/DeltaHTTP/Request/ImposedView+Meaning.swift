package import Authentication
import SnapshotJSON
import VersionedCollections

extension ImposedView {
  /// What the view means.
  ///
  /// - Throws: `ViewError`.
  func restriction() throws(ViewError) -> ViewRestriction {
    let text: String
    switch self {
    case .text(let written): text = written
    case .refused(let reason): throw ViewError(detail: reason)
    }
    guard text.utf8.first != UInt8(ascii: "{") else {
      guard let root = JSONReader().root(of: Array(text.utf8)) else {
        throw ViewError(
          detail: "expected JSON, or where=…&select=…")
      }
      return try ViewRestriction(StrictJSON(root))
    }
    let query: Query
    do throws(Problem) {
      query = try Query(Array(text.utf8)[...])
    } catch {
      throw ViewError(detail: error.detail)
    }
    return try ViewRestriction(query.parameters)
  }

  /// What is wrong with the view; nil if nothing is.
  package var fault: String? {
    do throws(ViewError) {
      _ = try restriction()
      return nil
    } catch {
      return "\(error)"
    }
  }
}
