import ArgumentParser
import LiveDeltaClient

struct ViewOptions: ParsableArguments {
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Show the items of which this is true, as /unread:eq:true; may be repeated.",
      valueName: "term"))
  var terms: [String] = []

  @Option(
    help: ArgumentHelp("Show these members of items, as /title,/date.", valueName: "pointers"))
  var select: String?

  @Option(
    help: ArgumentHelp(
      "Sort the items of each section, as /date:desc:date; may be repeated.", valueName: "criterion"
    ))
  var order: [String] = []

  @Option(
    help: ArgumentHelp(
      "What becomes of sections: keep, drop (empty ones), flat.", valueName: "what"))
  var sections: String?

  @Option(
    help: ArgumentHelp(
      "Show a part of the list, as first:50, last:50, at:100:50 or around:m7:20:20.",
      valueName: "window"))
  var window: String?

  /// The view; `nil` if everything is shown.
  var view: CollectionView? {
    let select = select?.split(separator: ",").map { String($0) } ?? []
    if terms.isEmpty, select.isEmpty, order.isEmpty, sections == nil, window == nil { return nil }
    return CollectionView(
      where: terms, select: select, order: order, sections: sections, window: window)
  }
}
