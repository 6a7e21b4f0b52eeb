extension Delta: CustomStringConvertible {
  /// The changes in one line: `-[1] +[0,2] >[0,1]→[0,0] ~[0,0]`.
  ///
  /// `-` is a deletion, `+` an insertion, `>` a move, `~` a reload; `[1]` is a section, `[0,2]` an item. Places of
  /// deletions are in the source, those of insertions and reloads in the target. Of more than 100 changes the rest
  /// is counted.
  public var description: String {
    let sections: [String] =
      changes.deletedSections.map { "-[\($0)]" } + changes.insertedSections.map { "+[\($0)]" }
      + changes.movedSections.map { ">[\($0.source)]→[\($0.target)]" }
      + changes.reloadedSections.map { "~[\($0.target)]" }
    let items: [String] =
      changes.deletedItems.map { "-\($0.short)" } + changes.insertedItems.map { "+\($0.short)" }
      + changes.movedItems.map { ">\($0.source.short)→\($0.target.short)" }
      + changes.reloadedItems.map { "~\($0.target.short)" }
    let all = sections + items
    if all.isEmpty { return "no changes" }
    let rest = all.count > 100 ? " … and \(all.count - 100) more" : ""
    return all.prefix(100).joined(separator: " ") + rest
  }
}

extension ItemPath {
  fileprivate var short: String { "[\(section),\(item)]" }
}
