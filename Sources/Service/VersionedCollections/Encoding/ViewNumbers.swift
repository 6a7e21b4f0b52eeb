package import SnapshotJSON

/// How many items a view has, and which of them its window shows.
public struct ViewNumbers: Hashable, Sendable {
  /// The number of items in the view.
  package var total: Int
  /// The position of the window's first item in the view.
  package var start: Int
  /// The number of items in the window.
  package var count: Int
  /// The id of the item that a window around one stands at; nil for others.
  package var anchor: [UInt8]?

  package init(_ list: ViewedList) { self.init(list.run, list.ids) }

  package init(_ run: ViewRun, _ ids: IDTable) {
    (total, start, count) = (run.total, run.start, run.count)
    anchor = run.anchor.map { Array(ids.text($0)) }
  }
}

extension JSONWriter {
  /// Writes `"view":{"total":…,"start":…,"count":…}`.
  package mutating func write(_ view: ViewNumbers) {
    key("view")
    writeValue(view)
  }

  /// Writes `{"total":…,"start":…,"count":…}`.
  package mutating func writeValue(_ view: ViewNumbers) {
    beginObject()
    member("total", view.total)
    member("start", view.start)
    member("count", view.count)
    if let anchor = view.anchor {
      key("anchor")
      string(utf8: anchor[...])
    }
    endObject()
  }
}
