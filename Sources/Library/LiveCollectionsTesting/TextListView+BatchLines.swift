import DeltaEngine
import LiveCollections

/// The lines that describe a batch.
struct BatchLines {
  let batch: UpdateBatch
  let before: [TextListView.Section]
  let after: [TextListView.Section]

  /// A line for each operation: deletions, insertions, moves, reloads.
  func lines(showsAnimations: Bool) -> [String] {
    (deletions + insertions + moves + reloads).map { line, animation in
      showsAnimations && animation != nil ? "\(line) (\(animation ?? .none))" : line
    }
  }

  private typealias Line = (text: String, animation: TableViewAnimation?)

  private var deletions: [Line] {
    batch.step.delete.sections.map {
      ("- section \($0) \(header($0.index, before))", batch.animations.delete($0))
    }
      + batch.step.delete.items.map {
        ("- \($0) \(row($0.section, $0.item, before))", batch.animations.delete($0))
      }
  }

  private var insertions: [Line] {
    batch.step.insert.sections.map { insert in
      let count = insert.items.count
      let rows = "\(count) row\(count == 1 ? "" : "s")"
      return (
        "+ section \(insert.at) \(header(insert.at.index, after)), \(rows)",
        batch.animations.insert(insert.at)
      )
    }
      + batch.step.insert.items.map {
        ("+ \($0.at) \(row($0.at.section, $0.at.item, after))", batch.animations.insert($0.at))
      }
  }

  private var moves: [Line] {
    batch.step.move.sections.map {
      ("> section \($0.from) to \($0.to) \(header($0.from.index, before))", nil)
    }
      + batch.step.move.items.map {
        ("> \($0.from) to \($0.to) \(row($0.from.section, $0.from.item, before))", nil)
      }
  }

  private var reloads: [Line] {
    batch.step.reload.sections.map {
      ("~ section \($0.at) \(header($0.at.index, after))", batch.animations.reload($0.at))
    }
      + batch.step.reload.items.map {
        (
          "~ \($0.at) \(row($0.target.section, $0.target.item, after))",
          batch.animations.reload($0.at)
        )
      }
  }

  private func header(_ section: Int, _ sections: [TextListView.Section]) -> String {
    sections.indices.contains(section) ? sections[section].header : "?"
  }

  private func row(_ section: Int, _ row: Int, _ sections: [TextListView.Section]) -> String {
    guard sections.indices.contains(section), sections[section].rows.indices.contains(row)
    else { return "?" }
    return sections[section].rows[row]
  }
}
