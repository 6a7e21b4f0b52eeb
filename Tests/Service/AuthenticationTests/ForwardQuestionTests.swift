import Synchronization
import TestSupport
import Testing

@testable import Authentication

/// Who is asked about, and when.
@Suite struct ForwardQuestionTests {
  private typealias Questions = ForwardQuestions

  private func question(_ caller: Int, _ name: String = "inbox", network: UInt64 = 1) throws
    -> ForwardQuestion
  {
    try #require(
      ForwardQuestion(
        nil, cookie: Array("s=\(caller)".utf8), network: network,
        .collection(.read, client: "u", name: name)))
  }

  private func waiter(until: Int64 = 100, isPatient: Bool = false) -> Questions.Waiter {
    Questions.Waiter(until: until, isPatient: isPatient) { _ in }
  }

  private func callers(_ questions: [ForwardQuestion]) -> [String] {
    questions.map { String(decoding: $0.cookie ?? [], as: UTF8.self) }
  }

  @Test func `an address, and a caller, has a share of the line; rechecks are never refused`()
    throws
  {
    var questions = Questions(connectionsMax: 1)
    for number in 0..<Questions.perAddressMax {
      #expect(questions.add(try question(number), .unknown, waiter()))
    }
    #expect(!questions.add(try question(-1), .unknown, waiter()))
    #expect(questions.add(try question(-1, network: 2), .unknown, waiter()))
    // An equal question needs no room.
    #expect(questions.add(try question(0), .unknown, waiter()))
    for name in 0..<Questions.perCallerMax {
      #expect(questions.add(try question(-2, "\(name)"), .known, waiter()))
    }
    #expect(!questions.add(try question(-2), .known, waiter()))
    #expect(questions.add(try question(-3), .known, waiter()))
    for number in 0..<20_000 {
      #expect(questions.add(try question(number, "other"), .recheck, waiter(isPatient: true)))
    }
  }

  @Test func `each address has some places although others have filled the line, up to a bound`()
    throws
  {
    var questions = Questions(connectionsMax: 1)
    let flooding = Questions.unknownMax / Questions.perAddressMax
    func add(_ number: Int, _ network: Int) throws -> Bool {
      let question = try question(number, "\(network)", network: UInt64(network))
      return questions.add(question, .unknown, waiter())
    }
    for place in 0..<Questions.unknownMax {
      let isAdded = try add(place, place % flooding)
      #expect(isAdded)
    }
    let isFloodAdded = try add(-1, 0)
    #expect(!isFloodAdded)
    for place in 0..<Questions.strangersMax - Questions.unknownMax {
      let network = flooding + place / Questions.perAddressMin
      let isAdded = try add(place, network)
      #expect(isAdded)
      guard place % Questions.perAddressMin == Questions.perAddressMin - 1 else { continue }
      let isMoreAdded = try add(-2, network)
      #expect(!isMoreAdded)
    }
    let isLastAdded = try add(-3, 99_999)
    #expect(!isLastAdded)
  }

  @Test
  func `rechecks and known callers take turns, the others have every eighth, addresses in turns`()
    throws
  {
    var questions = Questions(connectionsMax: 24)
    for number in 0..<40 {
      #expect(questions.add(try question(number, network: 1), .unknown, waiter()))
      #expect(questions.add(try question(100 + number), .known, waiter()))
      #expect(questions.add(try question(200 + number), .recheck, waiter()))
    }
    #expect(questions.add(try question(99, network: 2), .unknown, waiter()))
    let first = callers(questions.start())
    #expect(first.count == 24 && questions.underWay == 24)
    #expect(first.filter { $0.count == 3 || $0 == "s=99" } == ["s=0", "s=99", "s=1"])
    #expect(first.count { $0.hasPrefix("s=1") && $0.count == 5 } == 12)
    #expect(first.count { $0.hasPrefix("s=2") && $0.count == 5 } == 9)
  }

  @Test func `unknown callers have three quarters of the connections at most`() throws {
    var questions = Questions(connectionsMax: 8)
    for number in 0..<100 { #expect(questions.add(try question(number), .unknown, waiter())) }
    #expect(questions.start().count == 6)
    #expect(questions.add(try question(-1), .recheck, waiter(isPatient: true)))
    #expect(callers(questions.start()) == ["s=-1"])
    #expect(questions.start().isEmpty)
    #expect(questions.end(try question(0).key, isAnswered: true, now: 0).count == 1)
    #expect(questions.start().count == 1)
  }

  @Test
  func `without an answer rechecks rest, as many are tried as there are connections, then all`()
    throws
  {
    var questions = Questions(connectionsMax: 2)
    for number in 0..<10 {
      #expect(questions.add(try question(number), .recheck, waiter(isPatient: true)))
    }
    for _ in 0..<5 {
      for question in questions.start() {
        #expect(questions.end(question.key, isAnswered: false, now: 0).isEmpty)
      }
    }
    #expect(questions.start().isEmpty && questions.waiting == 10)
    #expect(questions.tick(now: 1).isEmpty)
    let tried = questions.start()
    #expect(tried.count == 2)
    #expect(questions.end(tried[0].key, isAnswered: false, now: 1).isEmpty)
    #expect(questions.start().isEmpty)
    #expect(questions.end(tried[1].key, isAnswered: true, now: 1).count == 1)
    var asked = 0
    while let question = questions.start().first {
      asked += 1
      #expect(questions.end(question.key, isAnswered: true, now: 1).count == 1)
    }
    // The first `start` has begun two.
    #expect(asked == 8)
  }

  @Test func `who has waited too long gets no verdict, and leaves nothing in line`() throws {
    var questions = Questions(connectionsMax: 1)
    #expect(questions.add(try question(0), .known, waiter(until: 5)))
    #expect(questions.start().count == 1)
    for number in 1...100 {
      #expect(questions.add(try question(number), .unknown, waiter(until: 5)))
      #expect(questions.add(try question(number), .recheck, waiter(until: 9, isPatient: true)))
    }
    #expect(questions.tick(now: 4).isEmpty)
    // That under way is ended by the backend alone.
    #expect(questions.tick(now: 5).count == 100 && questions.waiting == 100)
    #expect(questions.tick(now: 9).count == 100 && questions.waiting == 0)
    #expect(questions.end(try question(0).key, isAnswered: false, now: 9).count == 1)
    #expect(questions.start().isEmpty && questions.underWay == 0)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a line gives each party its turn, in its own order`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var line = FairLine<Int, Int>()
    var model: [(party: Int, elements: [Int])] = []
    for number in 0..<2000 {
      if Int.random(in: 0..<5, using: &random) < 3 {
        let party = Int.random(in: 0..<10, using: &random)
        line.append(number, of: party)
        if let index = model.firstIndex(where: { $0.party == party }) {
          model[index].elements.append(number)
        } else {
          model.append((party, [number]))
        }
      } else if Int.random(in: 0..<50, using: &random) == 0 {
        line.keep { !$0.isMultiple(of: 3) }
        model = model.map { ($0.party, $0.elements.filter { !$0.isMultiple(of: 3) }) }
          .filter { !$0.1.isEmpty }
      } else {
        var expected: Int?
        if !model.isEmpty {
          var first = model.removeFirst()
          expected = first.elements.removeFirst()
          if !first.elements.isEmpty { model.append(first) }
        }
        #expect(line.popFirst() == expected, "seed \(seed)")
      }
      #expect(line.count == model.reduce(0) { $0 + $1.elements.count }, "seed \(seed)")
    }
  }
}
