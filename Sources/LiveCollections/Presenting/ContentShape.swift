import DeltaEngine

/// What flat and sectioned collections do differently; everything else is common to both.
///
/// `Element` is what the content is an array of: items, or sections.
protocol ContentShape: Sendable {
  /// What the content is an array of.
  associatedtype Element: Sendable
  /// The type of the items.
  associatedtype Item: UniquelyIdentifiable & Sendable

  /// Whether the content has sections of its own.
  static var isSectioned: Bool { get }

  /// What is reloaded when there are too many changes.
  static var thresholdStyle: AnimationStyle { get }

  /// The number of items in each section.
  static func itemCounts(_ content: [Element]) -> [Int]

  /// A content as it is shown: without sections that have no items, if those are left out.
  static func finished(_ content: [Element], dropsEmptySections: Bool) -> [Element]

  /// The items that a delta deletes.
  static func deletedItems(_ delta: Delta, from source: [Element]) -> [Item]

  /// The items whose ids are in the source only, found without a delta.
  static func deletedItems(from source: [Element], to target: [Element]) -> [Item]

  /// A delta's steps with the content after each; the last content is the target.
  static func stages(
    _ delta: Delta, from source: [Element], to target: [Element]
  ) -> [ContentStage<Element>]

  /// Batches that reload the sections that changed, after sections were inserted, deleted and
  /// moved.
  static func reloadStages(
    _ delta: Delta?, from source: [Element], to target: [Element]
  ) -> [ContentStage<Element>]
}

/// One batch and the content after it.
struct ContentStage<Element: Sendable>: Sendable {
  var step: DeltaStep
  var content: [Element]
}
