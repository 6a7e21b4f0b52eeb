public import LiveCollections
public import LiveCollectionsTesting
import Synchronization

/// Where a scenario plays: queues, a text view for each of its screens, and a strict judge behind
/// each text view.
@MainActor public final class Stage {
  /// Where the scenario's collections work and call their views.
  public let queues = CollectionQueues.standard
  /// Decides what happens; the same scenario with the same seed plays the same.
  public let seed: UInt64
  private let write: @Sendable (String) -> Void
  private let screens = Mutex<[Screen]>([])
  private let delegates = Mutex<[any AnyObject & Sendable]>([])

  /// A stage that writes what happens.
  public init(seed: UInt64 = 1, write: @escaping @Sendable (String) -> Void) {
    self.seed = seed
    self.write = write
  }

  /// Writes a line.
  public func note(_ line: String) { write(line) }

  /// What the judges noticed; nothing, if all is well.
  public var faults: [ViewFault] { screens.withLock { $0.flatMap(\.judge.faults) } }

  /// The number of batches that were shown.
  public var batchCount: Int { screens.withLock { $0.reduce(0) { $0 + $1.judge.batchCount } } }

  /// Keeps a delegate, which collections hold weakly, until the scenario is over.
  func keep(_ delegate: any AnyObject & Sendable) { delegates.withLock { $0.append(delegate) } }

  /// A screen, kept until the scenario is over.
  func screen(
    _ judge: SimulatorView, indent: String = "  ", showsAnimations: Bool = false,
    content: @escaping @Sendable () -> [TextListView.Section]
  ) -> Screen {
    let write = write
    let text = TextListView(showsAnimations: showsAnimations) {
      write(indent + $0)
    } content: {
      content()
    }
    let screen = Screen(text: text, judge: judge, content: content)
    screens.withLock { $0.append(screen) }
    return screen
  }

  /// Waits until all that was handed to the delivery queue is done.
  func settle() async {
    await withCheckedContinuation { continuation in
      queues.delivery.async { continuation.resume() }
    }
  }
}

/// A text view with a judge: both get each batch.
final class Screen: SectionDeltaUpdatableView {
  let text: TextListView
  let judge: SimulatorView
  private let content: @Sendable () -> [TextListView.Section]

  init(
    text: TextListView, judge: SimulatorView,
    content: @escaping @Sendable () -> [TextListView.Section]
  ) {
    self.text = text
    self.judge = judge
    self.content = content
  }

  var canPerformBatches: Bool { true }
  var sectionCount: Int { text.sectionCount }

  func reloadData() {
    judge.reloadData()
    // Each collection that is shown here loads the screen once; once is enough to read.
    if text.shownSections != content() { text.reloadData() }
  }

  func perform(
    _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void
  ) {
    // The judge looks at the content before and after; the text view knows what it showed.
    judge.perform(batch) { _ in }
    text.perform(batch, completion: completion)
  }
}

extension Stage {
  /// Updates a collection and waits until its view shows it.
  func update<Data: LiveCollection>(_ data: Data, _ content: [Data.Element.RawType]) async
  where Data.Element.RawType: Sendable {
    note("  = \(await data.update(content))")
  }

  /// Updates a collection time and again from where its view is called, so that no update can be
  /// shown before the last has come, and waits for that one.
  func update<Data: LiveCollection>(
    _ data: Data, throughAll versions: [[Data.Element.RawType]]
  ) async where Data.Element.RawType: Sendable {
    await withCheckedContinuation { continuation in
      for (index, version) in versions.enumerated() {
        data.update(version) {
          self.note("  = \($0)")
          if index == versions.count - 1 { continuation.resume() }
        }
      }
    }
  }
}
