import DeltaEngine

extension StoredVersion {
  /// Encodes the difference from the previous version; its size depends on the changes only.
  ///
  /// Items and sections with the same id, hash and bytes as in the previous version are encoded as
  /// runs of indices; all others are encoded in full.
  ///
  /// - Returns: The bytes; nil for a first version, which is stored as an image.
  /// - Complexity: O(*n*), where *n* is the number of items that do not share memory with the
  ///   previous version.
  public func encodedChange() -> [UInt8]? {
    guard let previous else { return nil }
    let runs = changeRuns(previous)
    let literals = runs.lazy.filter(\.isLiteral).flatMap(\.items)
    let items = sections.flatItems
    // Growing a large buffer by doubling would temporarily take three times its size.
    let byteCount = literals.reduce(256 + 16 * runs.count) {
      $0 + ids.text(items[$1].uniqueID).count + contents.item(at: $1).count + 24
    }
    var writer = StoredBytesWriter(kind: StoredKind.change, capacity: byteCount)
    writer.record(record)
    write(meta: previous, &writer)
    write(sections: previous, &writer)
    writer.number(runs.count)
    for run in runs {
      writer.number(run.start + 1)
      writer.number(run.items.count)
    }
    for flat in literals {
      writer.text(ids.text(items[flat].uniqueID))
      writer.hash(items[flat].content)
      writer.text(contents.item(at: flat))
    }
    writer.noLists()
    writer.noLists()
    return writer.finish()
  }

  private func write(meta previous: Previous, _ writer: inout StoredBytesWriter) {
    let isSame = contents.meta == previous.contents.meta
    writer.number(contents.meta == nil ? 0 : isSame ? 1 : 2)
    if let meta = contents.meta, !isSame { writer.text(meta) }
  }

  private func write(sections previous: Previous, _ writer: inout StoredBytesWriter) {
    writer.number(sections.count)
    for (index, section) in sections.enumerated() {
      let place = Int(previous.comparison.sections[index])
      if place >= 0, previous.sections[place].header == section.header,
        previous.contents.header(ofSection: place) == contents.header(ofSection: index)
      {
        writer.number(place + 1)
      } else {
        writer.number(0)
        writer.text(ids.text(section.uniqueID))
        writer.hash(section.header)
        writer.text(contents.header(ofSection: index))
      }
      writer.number(section.items.count)
    }
  }

  /// A range of flat item indices: items of the previous version from `start` on, or literals if
  /// that is -1.
  private struct ChangeRun {
    var start: Int
    var items: Range<Int>

    var isLiteral: Bool { start < 0 }
  }

  /// All items of the version in order; items with other bytes than before are literals.
  private func changeRuns(_ previous: Previous) -> [ChangeRun] {
    var runs: [ChangeRun] = []
    var end = 0
    for run in contents.identical(previous.comparison.runs, in: previous.contents) {
      if run.target > end { runs.append(ChangeRun(start: -1, items: end..<run.target)) }
      end = run.target + run.count
      runs.append(ChangeRun(start: run.source, items: run.target..<end))
    }
    if end < contents.itemCount {
      runs.append(ChangeRun(start: -1, items: end..<contents.itemCount))
    }
    return runs
  }
}

extension Contents {
  /// The parts of unchanged runs with identical bytes; equal contents may be formatted differently.
  fileprivate func identical(
    _ runs: [VersionComparison.Run], in before: Contents
  ) -> [VersionComparison.Run] {
    var parts: [VersionComparison.Run] = []
    withItems { new in
      before.withItems { old in
        for run in runs {
          var part = VersionComparison.Run(source: run.source, target: run.target, count: 0)
          for offset in 0..<run.count {
            if new.isSame(run.target + offset, as: old, run.source + offset) {
              part.count += 1
              continue
            }
            if part.count > 0 { parts.append(part) }
            part = .init(source: run.source + offset + 1, target: run.target + offset + 1, count: 0)
          }
          if part.count > 0 { parts.append(part) }
        }
      }
    }
    return parts
  }
}
