import Testing

@testable import Authentication

@Suite struct TicketsTests {
  private static let text = "a \(KeyDigest(of: "a".utf8)) read:u42"
  private let date = TestDate()

  private func redeem(_ tickets: Tickets, _ authenticator: Authenticator) throws -> Refusal? {
    let requirement = Requirement.collection(.read, client: "u42", name: "inbox")
    let authorization = try #require(
      try authenticator.authorize(Array("Bearer a".utf8)[...], requirement))
    let issued = tickets.issue(authorization, client: "u42", collections: ["inbox"])
    let ticket = try #require(issued?.ticket)
    do throws(Refusal) {
      let authorization = try tickets.redeem(
        Array(ticket.utf8)[...], resume: nil, requirement, authenticator
      ).authorization
      // A ticket makes no tickets.
      #expect(tickets.issue(authorization, client: "u42", collections: ["inbox"]) == nil)
      return nil
    } catch {
      return error
    }
  }

  @Test func `no more used tickets are remembered than there may be`() throws {
    let authenticator = try Authenticator(.text(Self.text), now: { [date] in date.now })
    let tickets = Tickets(secret: nil, usedMax: 3)
    for _ in 1...3 { #expect(try redeem(tickets, authenticator) == nil) }
    #expect(try redeem(tickets, authenticator) == .badCredential)
    date.now += Tickets.lifetime
    #expect(try redeem(tickets, authenticator) == nil)
  }
}
