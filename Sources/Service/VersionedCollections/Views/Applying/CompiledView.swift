import DeltaEngine
package import SnapshotJSON

/// A view of one collection's versions, prepared for many items.
///
/// It depends on the collection's settings: where they change, it is made anew, and with it whatever was made by it.
package struct CompiledView: Sendable {
  package let view: View
  /// Where ids are, which every selection shows.
  private let idPath: JSONPointer
  /// What equality ignores.
  private let ignored: [JSONPointer]
  let headerForm: HeaderForm

  /// Prepares a view for a collection with some settings.
  package init(_ view: View, _ settings: CollectionSettings) {
    self.view = view
    idPath = settings.idPath
    ignored = settings.equalityIgnored
    headerForm = HeaderForm(view.restriction, settings)
  }

  /// Whether terms or the order ask for what equality ignores.
  ///
  /// What they see of an older version is then known only from when it was the head: contents are kept once for all
  /// that are equal.
  package var asksForIgnored: Bool {
    let terms = view.terms + view.imposedTerms
    return ViewSelection(terms.map(\.pointer) + view.order.map(\.path)).overlaps(ignored)
  }

  /// What is shown of each item; nil for whole items.
  var selection: ViewSelection? { view.effectiveSelection?.adding(idPath) }

  /// What the reader may see of each item; nil for whole items.
  var itemMask: ViewSelection? { view.restriction?.selection?.adding(idPath) }

  /// What the reader's own terms and order see of each item; nil if that makes no difference to them.
  private var mask: ViewSelection? {
    guard let imposed = itemMask else { return nil }
    let pointers = view.terms.map(\.pointer) + view.order.map(\.path)
    // What is selected of an array by an index is not shown.
    let mayHaveIndices = imposed.pointers.contains {
      $0.tokens.contains { Int(String(decoding: $0, as: UTF8.self)) != nil }
    }
    return !mayHaveIndices && pointers.allSatisfy(imposed.covers) ? nil : imposed
  }

  /// Returns which items of a version the view shows.
  ///
  /// - Returns: The items; nil if the contents of one are needed and not available.
  /// - Throws: `WorkStop`.
  /// - Complexity: O(*n*), where *n* is the number of bytes in the version, if there are terms; with an order, also
  ///   O(*m* log *m*) in the number of items in the view.
  package func members(
    of version: ViewableVersion, _ reader: JSONReader, _ meter: WorkMeter = .unlimited
  ) throws(WorkStop) -> ViewMembers? {
    var run = Run(self, version, reader, meter)
    try run.judge(0..<version.itemCount, version.columns)
    return try run.members { (run, members) throws(WorkStop) in try run.sorted(members) }
  }

  /// Returns which items of a version the view shows, from those of an older version.
  ///
  /// - Parameters:
  ///   - older: The items of the older version.
  ///   - changes: What changed between the two versions.
  ///   - version: The newer version.
  ///   - reader: The JSON reader.
  ///   - meter: The work.
  /// - Returns: What ``members(of:_:_:)`` returns, without reading unchanged items.
  /// - Throws: `WorkStop`.
  package func members(
    _ older: ViewMembers, changedBy changes: ViewChanges, to version: ViewableVersion,
    _ reader: JSONReader, _ meter: WorkMeter = .unlimited
  ) throws(WorkStop) -> ViewMembers? {
    var run = Run(self, version, reader, meter)
    run.keep(older, changes)
    try run.judge(changes.fresh, changes.columns)
    return try run.members { (run, members) throws(WorkStop) in
      try run.sorted(members, from: older, changes)
    }
  }

  /// Returns the contents and hashes of items as the view shows them.
  ///
  /// - Returns: Their texts, and their hashes if the view selects members; nil if one's contents are not available.
  /// - Throws: `WorkStop`.
  func projected(
    _ items: [Int], of version: ViewableVersion, _ reader: JSONReader, _ meter: WorkMeter
  ) throws(WorkStop) -> (texts: [UInt8], counts: [Int], hashes: [ContentHash])? {
    guard let selection else { return nil }
    var projection = ItemProjection(selection)
    var texts = [UInt8(ascii: "[")]
    var counts: [Int] = []
    for item in items {
      guard let json = version.json(item) else { return nil }
      // What is selected is parsed afterwards.
      try meter.spend(4 * json.count)
      if texts.count > 1 { texts.append(UInt8(ascii: ",")) }
      let start = texts.count
      projection.write(json, to: &texts)
      counts.append(texts.count - start)
    }
    texts.append(UInt8(ascii: "]"))
    guard let root = reader.root(of: texts) else { return nil }
    return (texts, counts, root.elementHashes(ignoring: ignored))
  }
}

extension CompiledView {
  /// Finds the items of one version that the view shows.
  private struct Run {
    let version: ViewableVersion
    let reader: JSONReader
    let meter: WorkMeter
    private let view: View
    private var mask: ItemProjection?
    private var allowed: ItemBits?
    private var shown: ItemBits?
    /// Whether the contents of an item were needed and not available.
    private var isIncomplete = false

    init(
      _ compiled: CompiledView, _ version: ViewableVersion, _ reader: JSONReader,
      _ meter: WorkMeter
    ) {
      self.version = version
      (self.reader, self.meter) = (reader, meter)
      view = compiled.view
      mask = compiled.mask.map { ItemProjection($0) }
      let none = ItemBits(itemCount: version.itemCount)
      if !view.imposedTerms.isEmpty { allowed = none }
      if allowed != nil || !view.terms.isEmpty { shown = none }
    }

    /// Holds items, by their flat indices, against the terms, with the columns of these items.
    mutating func judge(
      _ items: some Collection<Int>, _ columns: ItemColumns
    ) throws(WorkStop) {
      guard shown != nil else { return }
      // The reader's own terms may see other values than those in the columns.
      if mask != nil { return try judge(items) }
      let (all, terms) = (Array(0..<items.count), view.terms)
      guard
        let allowed = try columns.places(
          all, satisfying: view.imposedTerms, of: items, version.json, reader, meter),
        let shown = try columns.places(
          allowed, satisfying: terms, of: items, version.json, reader, meter)
      else {
        isIncomplete = true
        return
      }
      let flats = Array(items)
      self.allowed?.replace(flats, by: allowed.map { flats[$0] })
      self.shown?.replace(flats, by: shown.map { flats[$0] })
    }

    private mutating func judge(_ items: some Collection<Int>) throws(WorkStop) {
      var imposed = ItemTerms(view.imposedTerms)
      var own = ItemTerms(view.terms)
      var (allowed, shown): ([Int], [Int]) = ([], [])
      for item in items {
        guard let json = version.json(item) else {
          isIncomplete = true
          return
        }
        // The item is read for the terms that are imposed, for what they leave, and for the others.
        try meter.spend(8 * json.count + 64)
        guard imposed.hold(for: json, reader) else { continue }
        allowed.append(item)
        if own.hold(for: mask?(json)[...] ?? json, reader) { shown.append(item) }
      }
      self.allowed?.replace(Array(items), by: allowed)
      self.shown?.replace(Array(items), by: shown)
    }

    /// Takes over unchanged items from another version.
    mutating func keep(_ other: ViewMembers, _ changes: ViewChanges) {
      if allowed != nil { allowed = other.allowed?.kept(by: changes) }
      if shown != nil { shown = other.shown?.kept(by: changes) }
    }

    /// What was found; `sort` gives the items in the order of the view, or nil.
    mutating func members(
      _ sort: (inout Run, ViewMembers) throws(WorkStop) -> [UInt32]?
    ) throws(WorkStop) -> ViewMembers? {
      if isIncomplete { return nil }
      allowed?.seal()
      shown?.seal()
      let members = ViewMembers(
        allowed: allowed, shown: shown, order: nil, itemCount: version.itemCount)
      if view.order.isEmpty { return members }
      guard let order = try sort(&self, members) else { return nil }
      return ViewMembers(
        allowed: allowed, shown: shown, order: order, itemCount: version.itemCount)
    }

    /// The flat indices of the items in the view, sorted within sections.
    mutating func sorted(_ members: ViewMembers) throws(WorkStop) -> [UInt32]? {
      let items = (0..<members.total).map(members.element)
      if items.count * Self.fewItems >= version.itemCount, let ranks = try ranks() {
        let (version, isFlat) = (version, view.sections == .flat)
        return try SortRanks.sorted(
          items, by: ranks, section: { isFlat ? 0 : version.section(of: $0) }, meter)
      }
      return try sortedPlaces(items)?.map(\.item)
    }

    /// Of how many items one must be in the view for all to be ranked.
    private static let fewItems = 8

    /// The ranks of all items by each criterion; nil if the contents of one are not available.
    private mutating func ranks() throws(WorkStop) -> [(ranks: [UInt32], isDescending: Bool)]? {
      let (version, items) = (version, 0..<version.itemCount)
      // What is imposed has others see other values.
      let columns = mask == nil ? version.columns : ItemColumns(bytesMax: 0)
      var ranks: [(ranks: [UInt32], isDescending: Bool)] = []
      for rule in view.order {
        let found = try columns.ranks(by: rule, of: items, reader, meter) { item in
          version.json(item).map { mask?($0)[...] ?? $0 }
        }
        guard let found else { return nil }
        ranks.append((found, rule.isDescending))
      }
      return ranks
    }

    /// The same from the order of an older version: few items that changed are put in their places.
    mutating func sorted(
      _ members: ViewMembers, from older: ViewMembers, _ changes: ViewChanges
    ) throws(WorkStop) -> [UInt32]? {
      // Each is compared with as many others as their number has bits.
      guard let order = older.order, changes.keepsOrder,
        changes.fresh.count * (Int.bitWidth - order.count.leadingZeroBitCount) < order.count
      else { return try sorted(members) }
      guard let fresh = try sortedPlaces(changes.fresh.filter(members.isShown)) else { return nil }
      let kept = changes.kept(order, of: older.itemCount)
      var merged: [UInt32] = []
      merged.reserveCapacity(members.total)
      var start = 0
      for place in fresh {
        var range = start..<kept.count
        while !range.isEmpty {
          let middle = range.lowerBound + range.count / 2
          guard let other = try self.place(Int(kept[middle])) else { return nil }
          range = other < place ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        merged += kept[start..<range.lowerBound]
        merged.append(place.item)
        start = range.lowerBound
      }
      return merged + kept[start...]
    }

    private mutating func sortedPlaces(_ items: [Int]) throws(WorkStop) -> [Place]? {
      var places: [Place] = []
      places.reserveCapacity(items.count)
      for item in items {
        guard let place = try place(item) else { return nil }
        places.append(place)
      }
      try places.sort(meter) { one, other in one < other }
      return places
    }

    private mutating func place(_ item: Int) throws(WorkStop) -> Place? {
      guard let json = version.json(item) else { return nil }
      try meter.spend(4 * json.count + 512)
      guard
        let root = reader.root(of: mask?(json) ?? Array(json))
      else { return nil }
      return Place(
        section: view.sections == .flat ? 0 : version.section(of: item), item: UInt32(item),
        key: SortKey(root, id: [], rules: view.order))
    }
  }

  /// Where an item is in a list that is sorted within sections; ties are broken by the version's own order.
  private struct Place: Comparable {
    let section: Int
    let item: UInt32
    let key: SortKey

    static func < (one: Place, other: Place) -> Bool {
      if one.section != other.section { return one.section < other.section }
      if one.key < other.key { return true }
      return !(other.key < one.key) && one.item < other.item
    }
  }
}
