import TestSupport

@testable import CollectionService
@testable import DeltaHTTP
@testable import VersionedCollections

/// What a reader asks for: a view, and the windows on its list.
struct Viewing: Hashable, Sendable {
  var view: PageView
  /// The window that is asked for, and the one that the reader holds.
  var window: PageView.Window?
  var was: PageView.Window?

  /// What it shows of a version.
  func shown(of page: Page) -> PageView.Shown { view.shown(of: page, window) }

  /// As it is asked once the reader holds the window.
  var held: Viewing { Viewing(view: view, window: window) }

  /// The parameters of a request.
  var parameters: [(name: String, value: String)] {
    var parameters = view.terms.map { (name: "where", value: $0.text) }
    if let selected = view.selected {
      parameters.append(("select", selected.map { "/\($0)" }.joined(separator: ",")))
    }
    for criterion in view.order { parameters.append(("order", criterion.text)) }
    if let sections = view.sections { parameters.append(("sections", sections.rawValue)) }
    if let window { parameters.append(("window", window.text)) }
    if let was, was != window { parameters.append(("was", was.text)) }
    return parameters
  }

  /// The parameters as JSON.
  var json: String {
    let lists = Dictionary(grouping: parameters, by: \.name).sorted { $0.key < $1.key }
    let members = lists.map { name, parameters in
      let texts = parameters.map { parameter in
        "\"\(parameter.value.replacing("\"", with: "\\\""))\""
      }
      let isList = ["where", "order"].contains(name)
      return "\"\(name)\":" + (isList ? "[\(texts.joined(separator: ","))]" : texts[0])
    }
    return "{\(members.joined(separator: ","))}"
  }
}

extension PageView {
  /// What is imposed on some readers, as the service reads it.
  static var restriction: ViewRestriction {
    get throws {
      try ViewRestriction(
        imposed.imposedTerms.map { ("where", $0.text) }
          + [("select", (imposed.imposedMembers ?? []).map { "/\($0)" }.joined(separator: ","))])
    }
  }

  /// The view that is imposed on some readers, as a scope has it.
  static let imposed = PageView(
    imposedTerms: [Term(member: "v", name: "ne", value: "1")], imposedMembers: ["v"])

  /// The scope of those readers.
  static var imposedScope: String {
    let terms = imposed.imposedTerms.map { "where=" + $0.text }
    let members = (imposed.imposedMembers ?? []).map { "/\($0)" }
    return "read:**?"
      + (terms + ["select=" + members.joined(separator: ",")]).joined(separator: "&")
  }

  /// Conditions that are common: on what many items have, and on what one has.
  private static let termLists: [[Term]] = [
    [], [.init(member: "v", name: "eq", value: "1")],
    [.init(member: "v", name: "ge", value: "1.0")],
    [.init(member: "v", name: "ne", value: "0")], [.init(member: "op", name: "absent")],
    [.init(member: "op", name: "exists")], [.init(member: "id", name: "prefix", value: "\"i\"")],
    [.init(member: "id", name: "in", value: #"["i1","i2","i3","i4"]"#)],
    [.init(member: "v", name: "le", value: "1"), .init(member: "id", name: "gt", value: "\"i2\"")],
  ]

  private static let orders: [[Criterion]] = [
    [.init(member: "v", isNumber: true, isDescending: true)], [.init(member: "id")],
    [.init(member: "id", isDescending: true)],
    [.init(member: "v", isNumber: true), .init(member: "id", isDescending: true)],
  ]

  /// A view drawn at random, under what is imposed.
  static func random(under imposed: PageView, _ generator: inout SeededGenerator) -> PageView {
    var view = imposed
    view.terms = generator.pick(termLists) ?? []
    if generator.below(2) == 0 { view.selected = generator.pick([["v"], ["op"], ["v", "op"]]) }
    if generator.below(2) == 0 { view.order = generator.pick(orders) ?? [] }
    if generator.below(2) == 0 { view.sections = generator.pick(Sections.allCases) }
    view.isWindowed = generator.below(3) > 0
    return view
  }
}

extension Users.Reader {
  /// What the reader asks for of a collection; nil for all of it.
  func viewing(_ key: CollectionKey, _ held: Held?, _ operation: Operation) -> Viewing? {
    // A view without any parameter is none.
    guard let view = views[key], view != PageView() else { return nil }
    guard view.isWindowed else { return Viewing(view: view) }
    let was = held?.window
    if let was, operation.generator.below(3) > 0 { return Viewing(view: view, window: was) }
    let count = operation.generator.below(5)
    let window: PageView.Window =
      switch operation.generator.below(3) {
      case 0: .first(count)
      case 1: .last(count + 1)
      default: .at(operation.generator.below(6), count + 1)
      }
    return Viewing(view: view, window: window, was: was)
  }
}

extension Users {
  /// What a reader asks for of several collections.
  func viewings(
    of keys: [CollectionKey], _ held: [CollectionKey: Held], _ reader: Reader,
    _ operation: Operation
  ) -> [CollectionKey: Viewing] {
    var viewings: [CollectionKey: Viewing] = [:]
    for key in keys { viewings[key] = reader.viewing(key, held[key], operation) }
    return viewings
  }

  /// What a reader sees of several collections who asks for no view.
  func imposedViewings(of keys: [CollectionKey], _ reader: Reader) -> [CollectionKey: Viewing] {
    var viewings: [CollectionKey: Viewing] = [:]
    for key in keys where reader.views[key]?.imposedMembers != nil {
      viewings[key] = Viewing(view: .imposed)
    }
    return viewings
  }
}
