import DeltaEngine
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import Testing

/// The words for updates in synchronous and in asynchronous code, pages that overlap, and refusals.
@MainActor @Suite struct WordTests: Hearing {
  let queues = ManualQueues()
  let journal = Journal<String>()

  @Test func `enqueue does not wait in asynchronous code, and show does`() async {
    let data = CollectionData(items("A"))
    #expect(data.enqueue(items("AB")) == 1)
    #expect(data.enqueue(appending: items("C")) == 2)
    let outcome = await data.show(appending: items("D"))
    #expect(text(data.items) == "ABCD")
    #expect("\(outcome)".hasPrefix("applied"))
    #expect(await data.show(items("AA")).description.hasPrefix("rejected"))
    #expect(await data.update(items("E")).description == "applied by contentOnly")
    #expect(text(data.items) == "E")
  }

  @Test func `a page that overlaps replaces what is there and appends the rest`() {
    let data = CollectionData(items("ABC"), queues: queues.queues)
    let view = RecordingView(showing: data)
    data.view = view
    data.dataCountAnimationThreshold = 3
    queues.runAll()
    data.upsert(items("B1CDE"), completion: hear("u"))
    data.upsert(items("FF"), completion: hear("v"))
    queues.runAll()
    #expect(view.journal.entries.last == "ABC | I0.3 I0.4 R0.1 | AB1CDE")
    #expect(journal.entries.first == "u applied by batches")
    #expect((journal.entries.last ?? "").hasPrefix("v rejected"))
  }

  @Test func `a page of sections goes on in the section that it begins in`() {
    let data = CollectionSectionData(list("x:AB y:C"), queues: queues.queues)
    data.upsert(list("y1:C1D z:EA1"), completion: hear("u"))
    queues.runAll()
    #expect(text(data.sections) == "x:A1B y1:C1D z:E")
    data.upsert(list("z:F z:G"), completion: hear("v"))
    queues.runAll()
    #expect(text(data.sections) == "x:A1B y1:C1D z:E")
    #expect((journal.entries.last ?? "").hasPrefix("v rejected"))
  }

  @Test func `a refusal that nobody is told of is logged`() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let data = CollectionData(items("A"))
      data.enqueue(items("BB"))
      await data.outcome { data.append(items("AC"), completion: $0) }
      await data.outcome { data.delete(["Z"], completion: $0) }
      data.delete(["Y"])
      await data.show(appending: items("C"))
    }
    let log = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(log.contains(#"update 1 of Item was refused: target item id "B" occurs at [0, 0]"#))
    #expect(log.contains(#"update 2 of Item was refused: target item id "A""#))
    #expect(!log.contains("\"Z\"") && log.contains("update 4 of Item was refused"))
  }

  @Test func `a refusal that a delegate is told of is not logged`() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let data = CollectionData(items("A"))
      let delegate = Refusals()
      data.calculationDelegate = delegate
      await data.show(items("BB"))
      await delegate.check()
    }
    let log = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(!log.contains("refused"))
  }
}

private final class Refusals: CollectionDataCalculationNotificationDelegate {
  private var errors: [UpdateError] = []

  func collectionDataDidBeginCalculating() {}
  func collectionDataDidEndCalculating() {}
  func collectionDataDidReject(_ error: UpdateError) { errors.append(error) }
  func check() { precondition(errors.count == 1) }
}
