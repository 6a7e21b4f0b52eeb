@_exported public import DeltaEngine

/// What collections of items and collections of sections have in common: `CollectionData` and
/// `CollectionSectionData`.
public protocol LiveCollection<Element>: AnyObject, Sendable {
  /// What the content is an array of: items, or sections.
  associatedtype Element: UniquelyIdentifiable & Sendable

  /// The queue and the content behind the collection.
  var core: CollectionCore<Element> { get }

  /// The minimal delta between two contents.
  ///
  /// Where an id occurs twice in the source, as only a collection's first content can have it, its
  /// later occurrences are deleted.
  ///
  /// - Parameters:
  ///   - source: The current content.
  ///   - target: The content wanted.
  ///   - uniqueness: What is known of the ids, as when the caller has checked them.
  /// - Returns: What differs; of a list without sections, as section 0.
  /// - Throws: `DuplicateIdentifier` when an id occurs twice in the target.
  static func delta(
    from source: [Element], to target: [Element], uniqueness: Uniqueness
  ) throws(DuplicateIdentifier) -> Delta
}

/// The queue and the content behind a collection; opaque.
public struct CollectionCore<Element: UniquelyIdentifiable & Sendable>: Sendable {
  let pipeline: any CollectionPipeline<Element>
  let builder: ContentBuilder<Element, Element.RawType>
}

extension LiveCollection {
  /// The difference of two contents, compiled where the collection's type is known.
  @inlinable static var contentDiff: ContentDiff<Element> {
    { source, target, uniqueness in
      Result { () throws(DuplicateIdentifier) in
        try delta(from: source, to: target, uniqueness: uniqueness)
      }
    }
  }
}

extension LiveCollection {
  var builder: ContentBuilder<Element, Element.RawType> { core.builder }

  /// Whether an update is under way.
  public var isCalculating: Bool { core.pipeline.isBusy }
}
