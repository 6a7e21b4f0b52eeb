package import SnapshotJSON

extension ViewRestriction {
  package static let parameterNames = ["where", "select", "show"]

  /// Parses the parameters of an imposed view, as in `where=/public:eq:true&select=/id,/title`.
  ///
  /// - Parameters:
  ///   - parameters: The names and texts, percent-decoded.
  ///   - limits: The limits of views.
  /// - Throws: `ViewError` if one is unknown or invalid, or if they impose nothing.
  package init(
    _ parameters: [(name: String, value: String)], limits: ViewLimits = ViewLimits()
  ) throws(ViewError) {
    var texts: [String: [String]] = [:]
    for (name, value) in parameters {
      guard Self.parameterNames.contains(name) else {
        throw ViewError(
          parameter: name, detail: "an imposed view has only where, select and show")
      }
      texts[name, default: []].append(value)
    }
    try self.init(texts, limits)
  }

  /// Reads an imposed view that is given as JSON.
  ///
  /// - Throws: `ViewError` if a member is unknown, invalid, null or there twice, or if they impose nothing.
  package init(_ value: StrictJSON, limits: ViewLimits = ViewLimits()) throws(ViewError) {
    for (name, member) in value.content.members where member.isNull {
      throw ViewError(parameter: name, detail: "null says nothing: leave the member out")
    }
    try self.init(ViewQuery.texts(value, Self.parameterNames), limits)
  }

  private init(_ texts: [String: [String]], _ limits: ViewLimits) throws(ViewError) {
    let reader = ViewReader(texts: texts, limits: limits)
    let shown = try reader.single("show") { p throws(ViewError) in try p.extras() }
    let restriction = ViewRestriction(
      terms: try reader.terms(),
      selection: try reader.single("select") { p throws(ViewError) in try p.selection() },
      extras: shown ?? Self.defaultExtras)
    guard let restriction else {
      throw ViewError(parameter: "where", detail: "an imposed view needs a where or a select")
    }
    self = restriction
  }
}
