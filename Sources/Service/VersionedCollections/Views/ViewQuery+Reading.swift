package import SnapshotJSON

extension ViewQuery {
  package static let parameterNames = ["where", "select", "order", "sections", "window", "was"]

  /// Parses the parameters of a request.
  ///
  /// - Parameters:
  ///   - parameters: The names and texts of all parameters, percent-decoded; others than a view's are ignored.
  ///   - limits: The limits of views.
  /// - Throws: `ViewError` if one is invalid, or occurs more often than it may.
  package init(
    _ parameters: [(name: String, value: String)], limits: ViewLimits = ViewLimits()
  ) throws(ViewError) {
    var bytesLeft = limits.bytesMax
    var texts: [String: [String]] = [:]
    for (name, value) in parameters where Self.parameterNames.contains(name) {
      texts[name, default: []].append(value)
    }
    try self.init(texts, limits, &bytesLeft)
  }

  /// Reads a view that is given as JSON: `{"where":["/unread:eq:true"],"window":"first:50"}`.
  ///
  /// - Parameters:
  ///   - value: The JSON value.
  ///   - limits: The limits of views.
  ///   - bytesLeft: The bytes that the texts of all views of the request may have besides those read before.
  /// - Throws: `ViewError` if a member is unknown or invalid.
  package init(
    _ value: StrictJSON, limits: ViewLimits = ViewLimits(), _ bytesLeft: inout Int
  ) throws(ViewError) {
    try self.init(Self.texts(value, Self.parameterNames), limits, &bytesLeft)
  }

  /// Reads the only view of a request.
  package init(_ value: StrictJSON, limits: ViewLimits = ViewLimits()) throws(ViewError) {
    var bytesLeft = limits.bytesMax
    try self.init(value, limits: limits, &bytesLeft)
  }

  private init(
    _ texts: [String: [String]], _ limits: ViewLimits, _ bytesLeft: inout Int
  ) throws(ViewError) {
    // Before any text is parsed.
    for name in ["where", "select", "order"] {
      for (index, text) in (texts[name] ?? []).enumerated() {
        bytesLeft -= text.utf8.count
        guard bytesLeft >= 0 else {
          throw ViewError(
            parameter: name, index: index, offset: 0,
            detail:
              "the terms, criteria and selections of one request have at most \(limits.bytesMax) bytes",
            limit: limits.bytesMax)
        }
      }
    }
    let reader = ViewReader(texts: texts, limits: limits)
    view = View(
      terms: try reader.terms(),
      selection: try reader.single("select") { p throws(ViewError) in try p.selection() },
      order: try reader.order(),
      sections: try reader.single("sections") { p throws(ViewError) in try p.sections() })
    window = try reader.single("window") { p throws(ViewError) in try p.window() }
    was = try reader.single("was") { p throws(ViewError) in try p.window() }
  }

  /// The texts of the members of a view in JSON.
  static func texts(
    _ value: StrictJSON, _ names: [String]
  ) throws(ViewError) -> [String: [String]] {
    func fault(_ name: String, _ index: Int, _ detail: String) -> ViewError {
      ViewError(parameter: name, index: index, offset: 0, detail: detail)
    }
    let object: StrictJSON.Object?
    do throws(MemberFault) { object = try value.object(of: names) } catch {
      throw fault(String(error.pointer.dropFirst()), 0, error.detail)
    }
    guard let object else { throw fault("", 0, "expected an object") }
    var texts: [String: [String]] = [:]
    for (name, member) in object.members where !member.isNull {
      let isList = ViewError.repeatable.contains(name)
      guard !isList || member.kind == .array else { throw fault(name, 0, "expected an array") }
      var list: [String] = []
      for element in isList ? Array(member.elements) : [member] {
        guard let text = element.string else { throw fault(name, list.count, "expected a string") }
        list.append(text)
      }
      texts[name] = list
    }
    return texts
  }
}

/// The texts of a view's parameters by their names.
struct ViewReader {
  let texts: [String: [String]]
  let limits: ViewLimits

  func terms() throws(ViewError) -> [ViewTerm] {
    let parameters = try several("where", limits.termsMax)
    if parameters.isEmpty { return [] }
    let reader = JSONReader()
    var terms: [ViewTerm] = []
    for parameter in parameters { terms.append(try parameter.term(reader)) }
    return terms
  }

  func order() throws(ViewError) -> [SortRule] {
    var rules: [SortRule] = []
    for parameter in try several("order", limits.orderMax) {
      rules.append(try parameter.sortRule())
    }
    return rules
  }

  /// Parses a parameter that may occur once.
  func single<Value>(
    _ name: String, _ parse: (ViewParameter) throws(ViewError) -> Value
  ) throws(ViewError) -> Value? {
    guard let parameter = try several(name, 1).first else { return nil }
    return try parse(parameter)
  }

  private func several(_ name: String, _ countMax: Int) throws(ViewError) -> [ViewParameter] {
    let texts = texts[name] ?? []
    guard texts.count <= countMax else {
      throw ViewError(
        parameter: name, index: countMax, offset: 0,
        detail:
          "\(name) may occur \(countMax == 1 ? "once" : "\(countMax) times"), not \(texts.count)",
        limit: countMax)
    }
    return texts.enumerated().map { ViewParameter(name, $0, $1, limits) }
  }
}
