import VersionedCollections

/// How current what is in memory of a shared store is, client by client.
///
/// Memory is a cache of what others write too. A list of a client's collections, with their versions,
/// says what memory still has. Lists are numbered in the order asked for; what is in memory of a client
/// is not older than its newest list. A request is answered once that list is no older than
/// `readStaleness`, or was asked for after the request came. Lists are also asked for without a
/// request while somebody waits: once a second, and at once when a notice comes.
struct Freshness {
  private struct Age {
    /// The number of the newest list that memory agrees with.
    var newest = 0
    /// The number of the last list applied; older lists are ignored.
    var applied = 0
    /// The uptime when it was asked for; nil if the store is known to have another since.
    var date: Duration?
    /// The uptime when it was asked for, whatever the store has since; nil if there was none.
    var confirmation: Duration?
    /// Lists up to this number are of a time when the client was not in memory.
    var first: Int
    /// Whether lists were passed over, and none was applied since.
    var isPassedOver = false
  }

  private var ages: [ResourceName: Age] = [:]
  /// The number of lists asked for so far.
  private var askedCount = 0
  /// The clients whose lists are to be asked for because somebody waits.
  var questions = ConfirmationQueue()

  /// Which lists of a client will do for a request.
  enum Demand: Sendable {
    /// Those asked for at this uptime or later.
    case since(Duration)
    /// Those with this number or a later one, unless memory is known to differ since.
    case number(Int)
  }

  /// Returns which lists of a client will do for a request.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - confirmation: When to ask for a list.
  ///   - isNew: Whether the request names a collection or shows a version that is not known.
  ///   - oldest: The earliest time at which the list may have been asked for.
  /// - Returns: The lists; nil if the one that memory agrees with will do.
  func demand(
    on client: ResourceName, _ confirmation: Requirements.Confirmation, isNew: Bool,
    since oldest: Duration
  ) -> Demand? {
    let demand: Demand
    switch confirmation {
    case .always: demand = .number(askedCount + 1)
    case .ifNew where isNew: demand = .number(askedCount + 1)
    case .ifNew, .ifOld: demand = .since(oldest)
    }
    return meets(demand, client) ? nil : demand
  }

  /// Whether memory agrees with a list of a client that will do.
  func meets(_ demand: Demand, _ client: ResourceName) -> Bool {
    guard let age = ages[client] else { return false }
    switch demand {
    case .since(let oldest): return age.date.map { $0 >= oldest } ?? false
    case .number(let number): return age.newest >= number && age.date != nil
    }
  }

  /// Numbers a list that is about to be asked for.
  mutating func ask(_ client: ResourceName) -> Int {
    if ages[client] == nil { ages[client] = Age(first: askedCount) }
    askedCount += 1
    return askedCount
  }

  /// Records that a list is about to be applied; a list that is late would bring back what was.
  ///
  /// - Returns: Whether no later one was applied.
  mutating func apply(_ client: ResourceName, _ number: Int) -> Bool {
    guard let age = ages[client], number > max(age.applied, age.newest, age.first) else {
      return false
    }
    ages[client]?.applied = number
    ages[client]?.isPassedOver = false
    return true
  }

  /// Records that what is in memory is not older than a list.
  mutating func confirm(_ client: ResourceName, _ number: Int, askedAt date: Duration) {
    guard let age = ages[client], number > max(age.newest, age.first) else { return }
    ages[client]?.newest = number
    ages[client]?.date = date
    ages[client]?.confirmation = date
  }

  /// When the newest list of a client that memory agrees with was asked for; nil if there was none.
  func confirmation(of client: ResourceName) -> Duration? { ages[client]?.confirmation }

  /// Records that others may have written a client since its newest list.
  mutating func outdate(_ client: ResourceName) { ages[client]?.date = nil }

  /// Records that lists of a client that were asked for so far may be from before a commit whose
  /// outcome is unknown.
  mutating func distrustLists(of client: ResourceName) {
    if ages[client] == nil { ages[client] = Age(first: askedCount) }
    ages[client]?.newest = askedCount
    ages[client]?.date = nil
  }

  /// Records that a collection of a client was deleted: a list that was asked for before it was created, and read before
  /// it was deleted, would bring it back.
  mutating func passOverLists(of client: ResourceName) {
    ages[client]?.applied = askedCount
    ages[client]?.isPassedOver = true
  }

  /// Whether lists of a client were passed over, and what they would have told must be asked for again.
  func lacksList(of client: ResourceName) -> Bool { ages[client]?.isPassedOver ?? false }

  /// Forgets a client that left memory.
  mutating func forget(_ client: ResourceName) { ages[client] = nil }

  /// Traps unless each list in memory was asked for.
  func checkInvariants() {
    for (client, age) in ages {
      precondition(
        age.newest <= askedCount && age.first <= askedCount, "\(client) has a list of the future")
      precondition(age.date == nil || age.newest > 0, "\(client) has a date without a list")
    }
  }
}
