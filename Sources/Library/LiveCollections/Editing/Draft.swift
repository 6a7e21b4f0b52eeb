/// A content that is edited by ids, one edit after the other.
///
/// Consecutive edits share one editor: what it knows of the ids is built once for all of them.
struct Draft<Element: Sendable> {
  /// Finds what an edit wants reloaded, in the content after all edits.
  typealias Reloads = @Sendable (_ content: [Element]) -> ReloadOverrides

  private var plain: [Element]
  private var editor: (any ContentEditor<Element>)?
  private var reloads: Reloads?

  init(_ content: [Element]) { plain = content }

  /// The content after the edits so far.
  var content: [Element] {
    get { editor?.content ?? plain }
    set {
      plain = newValue
      editor = nil
    }
  }

  /// Edits the content; if the body throws, nothing is changed.
  ///
  /// - Parameters:
  ///   - isAtomic: Whether the body itself changes nothing when it throws.
  ///   - body: Makes the edits.
  ///   - reloads: Takes from the editor what the edits want reloaded.
  /// - Returns: What the body threw.
  mutating func edit<Editor: ContentEditor<Element>>(
    isAtomic: Bool = true, _ body: (inout Editor) throws -> Void,
    reloads: (inout Editor) -> Reloads? = { _ in nil }
  ) -> Result<Void, UpdateError> {
    var editor = (editor as? Editor) ?? Editor(unchecked: plain)
    // The only reference, so that the edits copy nothing.
    (self.editor, plain) = (nil, [])
    let before = isAtomic ? nil : editor
    let result = Result { try body(&editor) }.mapError(UpdateError.init)
    if case .failure = result, let before { editor = before }
    self.reloads = reloads(&editor)
    self.editor = editor
    return result
  }

  /// What the last edit wants reloaded; `nil` when asked again.
  mutating func takeReloads() -> Reloads? {
    defer { reloads = nil }
    return reloads
  }
}

/// What edits a content by ids, and never makes an id occur twice.
protocol ContentEditor<Element> {
  associatedtype Element

  /// An editor of a content whose ids are known to be unique.
  init(unchecked content: [Element])

  var content: [Element] { get }
}

extension EditableItems: ContentEditor {
  var content: [ItemType] { items }
}

extension EditableSections: ContentEditor {
  var content: [SectionType] { sections }
}

// What the edits want reloaded; forgotten when it is taken.

extension EditableItems where ItemType: Sendable, ID: Sendable {
  mutating func takeReloads() -> Draft<ItemType>.Reloads? {
    guard let find = list.takeReloads() else { return nil }
    return { find([OnlySection(items: $0)]) }
  }
}

extension EditableSections where SectionType: Sendable, SectionID: Sendable, ItemID: Sendable {
  mutating func takeReloads() -> Draft<SectionType>.Reloads? {
    if itemReloads.isEmpty && sectionReloads.isEmpty { return nil }
    defer { (itemReloads, sectionReloads) = ([:], []) }
    return { [itemReloads, sectionReloads] in
      ReloadOverrides(ofItems: itemReloads, ofSections: sectionReloads, in: $0)
    }
  }
}

extension UpdateError {
  /// Why an edit was not made: what its body threw.
  init(_ error: any Error) {
    self = (error as? EditError).map { .edit($0) } ?? .thrown("\(error)")
  }
}
