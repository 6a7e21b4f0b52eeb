import SnapshotJSON

/// The members of an object by name; nil when it is none, or a name occurs twice: two readers could
/// take two different ones.
func uniqueMembers(_ value: JSONValue) -> [String: JSONValue]? {
  guard value.kind == .object else { return nil }
  var members: [String: JSONValue] = [:]
  for member in value.members {
    guard members.updateValue(member.value, forKey: member.key) == nil else { return nil }
  }
  return members
}
