/// The names of an object's members, none spelled with escapes, and their sorted order.
///
/// Most items of a list have the same names in the same order as the item before.
struct ObjectShape: ~Copyable {
  /// In the order of the text.
  private var members = Scratch<ObjectMember>(capacity: 32)
  /// The ordinals of the members in the order of their names.
  private var order = Scratch<UInt16>(capacity: 32)
  /// The tokens of the names of the object that matched last, in the order of its text.
  private var names = Scratch<UInt32>(capacity: 32)

  /// The object that matched last.
  private var matched = UInt32.max
  /// The ordinal of a member whose value is wanted in objects that match.
  private var watched: Int?

  /// Objects with more members are always sorted.
  private static let countMax = 64

  /// The number of members; 0 if no shape is known.
  var count: Int { order.count }

  /// Stores the members of an object in the order of its text.
  mutating func note(_ members: borrowing Scratch<ObjectMember>) {
    self.members.truncate(to: 0)
    order.truncate(to: 0)
    matched = .max
    watched = nil
    guard members.count <= ObjectShape.countMax else { return }
    for at in 0..<members.count { self.members.append(members[at]) }
  }

  /// Stores the order of the same members, sorted by name.
  mutating func note(sorted members: borrowing Scratch<ObjectMember>) {
    guard self.members.count == members.count else { return }
    for at in 0..<members.count { order.append(members[at].ordinal) }
  }

  /// Whether an object without escapes has exactly these names in this order; ``name(_:)`` then gives their tokens.
  mutating func matches(_ index: UInt32, _ token: Token, _ view: DocumentView) -> Bool {
    if index == matched { return true }
    matched = .max
    names.truncate(to: 0)
    var name = index + 1
    for at in 0..<members.count {
      guard name < token.next, isSame(members[at], view[name], view) else { return false }
      names.append(name)
      name = view[name + 1].next
    }
    guard name == token.next, !members.isEmpty else { return false }
    matched = index
    return true
  }

  /// Watches a member of the object whose names these are, by its value.
  mutating func watch(_ value: UInt32) {
    guard watched == nil else { return }
    watched = (0..<members.count).first { members[$0].name + 1 == value }
  }

  /// The value of the watched member in an object without escapes; nil if its names differ.
  mutating func watchedValue(of index: UInt32, _ token: Token, _ view: DocumentView) -> UInt32? {
    guard let watched, matches(index, token, view) else { return nil }
    return names[watched] + 1
  }

  @inline(__always)
  private func isSame(
    _ member: ObjectMember, _ token: Token, _ view: DocumentView
  ) -> Bool {
    let count = Int(member.count)
    guard token.count == count + 2 else { return false }
    let (one, other) = (Int(member.offset), Int(token.offset) + 1)
    guard view.namePrefix(other, count) == member.prefix else { return false }
    if count <= 8 { return true }
    for at in 8..<count where view.byte(one + at) != view.byte(other + at) { return false }
    return true
  }

  /// The token of a name of the object that matched, by its index in sorted order.
  @inline(__always)
  func name(_ place: Int) -> UInt32 { names[Int(order[place])] }
}
