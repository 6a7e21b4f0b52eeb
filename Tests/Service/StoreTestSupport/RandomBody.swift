package import TestSupport

/// Bodies of random writes, about items of twelve ids.
package enum RandomBody {
  /// One edit, in the given step of a test.
  package static func edit(_ step: Int, _ random: inout SeededGenerator) -> [UInt8] {
    let id = Int.random(in: 0..<12, using: &random)
    let edits = [
      #"{"op":"reload","ids":["\#(id)"]}"#,
      #"{"op":"delete","ids":["\#(id)"],"missing":"ignore"}"#,
      #"{"op":"merge","id":"\#(id)","value":{"v":\#(step)}}"#,
      #"{"op":"move","ids":["\#(id)"],"section":"s0","first":true}"#,
    ]
    let edit = edits.randomElement(using: &random) ?? edits[0]
    return Array("{\"edits\":[\(edit)]}".utf8)
  }

  /// A snapshot of up to three sections.
  package static func snapshot(_ random: inout SeededGenerator) -> [UInt8] {
    var ids = Array(0..<12)
    ids.shuffle(using: &random)
    var sections: [String] = []
    for section in 0..<Int.random(in: 1...3, using: &random) {
      var items: [String] = []
      for _ in 0..<Int.random(in: 0...4, using: &random) where !ids.isEmpty {
        let list = (0..<Int.random(in: 0...3, using: &random)).map { "{\"id\":\"e\($0)\"}" }
        items.append(
          """
          {"id":"\(ids.removeLast())","v":\(Int.random(in: 0..<3, using: &random)),\
          "at":\(Int.random(in: 0..<9, using: &random)),"list":[\(list.joined(separator: ","))]}
          """)
      }
      let title = Int.random(in: 0..<2, using: &random)
      sections.append(
        "{\"id\":\"s\(section)\",\"t\":\(title),\"items\":[\(items.joined(separator: ","))]}")
    }
    let meta = Bool.random(using: &random) ? ",\"meta\":{\"p\":\(ids.count)}" : ""
    return Array("{\"sections\":[\(sections.joined(separator: ","))]\(meta)}".utf8)
  }
}
