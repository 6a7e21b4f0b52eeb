import SnapshotJSON

extension SortValue {
  /// Creates the value of a view's column; reads no more than that.
  init(_ value: ItemValue, _ rule: SortRule, _ reader: JSONReader) {
    let text: [UInt8]? =
      switch value {
      case .missing, .container: nil
      case .integer(let integer): Array(String(integer).utf8)
      case .text(let json): Array(json)
      }
    self.init(text.flatMap(reader.root), rule)
  }

  /// The beginning of a value, by which most values are told apart: the lesser of two is never behind the other.
  struct Head: Hashable, Comparable {
    private var isText: Bool
    private var bits: UInt64

    fileprivate init(_ number: JSONDecimal) {
      isText = false
      // The bits of numbers have their order, but for the sign; that of zero does not count.
      let bits = (number.nearest + 0).bitPattern
      self.bits = bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    }

    fileprivate init(_ text: [UInt8]) {
      isText = true
      bits = 0
      for at in 0..<8 { bits = bits << 8 | UInt64(at < text.count ? text[at] : 0) }
    }

    fileprivate static let natural = Head([])

    static func < (one: Head, other: Head) -> Bool {
      one.isText == other.isText ? one.bits < other.bits : other.isText
    }
  }

  /// The beginning; nil without a value.
  var head: Head? {
    switch self {
    case .text(let text): Head(text)
    case .naturalText: .natural
    case .number(let number): Head(number)
    case .none: nil
    }
  }

  /// About how many bytes a comparison with another value reads.
  var comparedBytes: Int {
    switch self {
    case .text(let text): text.count
    case .naturalText(let text): text.text.count
    case .number, .none: 64
    }
  }
}
