import CollectionService
import HTTP1
import VersionedCollections

/// Formats and parses the entity tags of versions: the token, then what distinguishes a
/// representation of the version.
///
/// A representation that has settings in it is marked with their hash, since they can change without
/// a new version: the token and that mark are the state.
///
/// ```
/// "k3f9m2qx.44.1HP-jIGrawhO8P_h"   "k3f9m2qx.44.1HP-jIGrawhO8P_h;with=4f0c;snapshot;gzip"
/// ```
enum EntityTag {
  /// Returns the strong tag of a representation.
  static func text(
    _ version: VersionToken, _ variant: String, _ coding: ContentCoding = .identity,
    settingsHash: UInt64? = nil, _ view: ViewQuery? = nil
  ) -> String {
    let mark = settingsHash.map(settingsMark) ?? ""
    let marks = [mark, view.map(viewMark) ?? "", variant, coding.name ?? ""].filter { !$0.isEmpty }
    return "\"\(version)\(marks.map { ";" + $0 }.joined())\""
  }

  /// Returns the versions that a condition names.
  ///
  /// - Parameters:
  ///   - lines: The values of `If-Match` or `If-None-Match`.
  ///   - isStrong: Whether weak tags are ignored (RFC 9110 §13.1.1) or match too (§13.1.2).
  /// - Returns: The versions, or `nil` without the field.
  static func versions(
    _ lines: [ArraySlice<UInt8>], isStrong: Bool
  ) -> Precondition.Versions? {
    guard !lines.isEmpty else { return nil }
    let elements = listElements(lines)
    if elements.contains(where: { $0.elementsEqual("*".utf8) }) { return .any }
    return .oneOf(elements.compactMap { parts($0, isStrong: isStrong)?.first })
  }

  private static func settingsMark(_ hash: UInt64) -> String {
    settingsMark + String(hash, radix: 16)
  }

  private static let settingsMark = "with="

  private static func viewMark(_ view: ViewQuery) -> String { viewMark + view.tag }

  private static let viewMark = "view="

  /// Whether `If-None-Match` names the state of a snapshot: its version, and the settings in it.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - answer: The snapshot.
  ///   - view: What it shows of the collection; nil for all of it.
  /// - Returns: False also without the field.
  static func isSeen(_ request: HTTPRequest, _ answer: ReadAnswer, _ view: ViewQuery?) -> Bool {
    let elements = listElements(request.fields("if-none-match"))
    let mark = answer.settingsHash.map(settingsMark)
    let viewMark = view.map(Self.viewMark)
    return elements.contains { element in
      if element.elementsEqual("*".utf8) { return true }
      guard let parts = parts(element, isStrong: false) else { return false }
      return parts[0] == answer.version.unrenewed.description
        && parts.first { $0.hasPrefix(settingsMark) } == mark
        && parts.first { $0.hasPrefix(Self.viewMark) } == viewMark
    }
  }

  /// Returns the tag of a collection's settings, which can change without a new version.
  static func text(_ version: VersionToken, _ settings: CollectionSettings) -> String {
    text(version, "settings;" + settings.tag)
  }

  /// Returns the settings tags that a condition names, or `nil` if it names none.
  static func settings(_ lines: [ArraySlice<UInt8>], isStrong: Bool) -> [String]? {
    let tags = listElements(lines).compactMap { tag -> String? in
      guard let parts = parts(tag, isStrong: isStrong), parts.count > 2, parts[1] == "settings"
      else { return nil }
      return parts[2]
    }
    return tags.isEmpty ? nil : tags
  }

  /// Splits a tag into the version token, without a renewal mark, and what distinguishes the representation.
  private static func parts(_ tag: ArraySlice<UInt8>, isStrong: Bool) -> [String]? {
    var tag = tag
    if tag.starts(with: "W/".utf8) {
      if isStrong { return nil }
      tag = tag.dropFirst(2)
    }
    guard tag.count >= 2, tag.first == UInt8(ascii: "\""), tag.last == UInt8(ascii: "\"") else {
      // A bare token counts as if it had its quotes: it cannot mean anything else.
      guard isStrong, let token = VersionToken(tag) else { return nil }
      return [token.unrenewed.description]
    }
    var parts = String(decoding: tag.dropFirst().dropLast(), as: UTF8.self)
      .split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    if let token = parts.first.flatMap({ VersionToken($0) }) {
      parts[0] = token.unrenewed.description
    }
    return parts
  }
}

extension Precondition.Versions {
  func matches(_ version: VersionToken) -> Bool { matches(version.unrenewed.description) }

  /// Whether an entity tag matches the condition, regardless of content coding.
  func matches(_ tag: String) -> Bool {
    switch self {
    case .any: true
    case .oneOf(let tags): tags.contains(tag)
    }
  }
}
