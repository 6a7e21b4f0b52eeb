import Foundation

/// A moment at which a credential ends, in whole seconds since 1970.
package enum ExpiryDate {
  /// Reads `2027-01-31T12:00:00Z` or `2027-01-31`, which is its beginning; nil for anything else, also
  /// for days that the calendar lacks and for times before 1970.
  package static func seconds(_ text: String) -> Int64? {
    let whole = text.utf8.count == 10 ? text + "T00:00:00Z" : text
    // An error means a text that is no date.
    guard let date = try? Date(whole, strategy: .iso8601) else { return nil }
    let seconds = Int64(date.timeIntervalSince1970)
    // Whatever else is wrong with it makes another text.
    return seconds >= 0 && whole.utf8.count == 20 && self.text(seconds) == whole ? seconds : nil
  }

  /// The moment as `2027-01-31T12:00:00Z`.
  package static func text(_ seconds: Int64) -> String {
    Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
  }
}
