import SnapshotJSON

/// A new version to be stored.
public struct StoredVersion: Sendable {
  /// The head that precedes a version.
  package struct Previous: Sendable {
    package var sections: [StructureSection]
    package var contents: Contents
    /// What it has in common with the new version.
    var comparison: VersionComparison
  }

  /// The version.
  public var token: VersionToken
  /// The collection's lineage.
  public var lineage: Lineage
  package var record: VersionRecord
  /// The sections.
  public var sections: [StructureSection]
  /// The ID table.
  public var ids: IDTable
  /// The contents.
  public var contents: Contents
  /// The preceding version; nil if there is none.
  package var previous: Previous?
  /// New settings; nil if they do not change.
  public var settings: StoredSettings?

  /// When it was committed, in seconds since 1970.
  public var date: Int64 { record.date }
}
