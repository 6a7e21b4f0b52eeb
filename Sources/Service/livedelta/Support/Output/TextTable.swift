import Foundation

/// Rows of two or more cells in aligned columns: the first to the left, others to the right.
struct TextTable {
  private var rows: [[String]] = []

  mutating func add(_ cells: String...) { rows.append(cells) }

  var lines: [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { $0.count > column ? $0[column].columnCount : 0 }.max() ?? 0
    }
    return rows.map { row in
      row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.columnCount)
        return column == 0 ? cell + space : space + cell
      }.joined(separator: "  ")
    }
  }
}

enum Figure {
  /// Formats a number with thousands separators.
  static func count(_ value: Int) -> String {
    value.formatted(.number.locale(Locale(identifier: "en_US")))
  }

  /// Formats a size in B, kB or MB, with one decimal from 1 kB.
  static func bytes(_ value: Int) -> String {
    if value < 1000 { return "\(value) B" }
    return value < 1_000_000
      ? "\(oneDecimal(Double(value) / 1e3)) kB" : "\(oneDecimal(Double(value) / 1e6)) MB"
  }

  /// Formats a duration in ms or s.
  static func time(_ value: Duration) -> String {
    let seconds = self.seconds(value)
    return seconds < 1 ? "\(oneDecimal(seconds * 1000)) ms" : "\(oneDecimal(seconds)) s"
  }

  static func share(_ part: Int, of whole: Int) -> String {
    whole == 0 ? "–" : "\(oneDecimal(100 * Double(part) / Double(whole))) %"
  }

  static func seconds(_ value: Duration) -> Double {
    let (seconds, attoseconds) = value.components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }

  private static func oneDecimal(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
