/// A scenario: a way to use the library, played with movies.
@MainActor public struct Scenario {
  /// Its number, from 1.
  public let number: Int
  /// What it is about, in a few words.
  public let title: String
  /// Which types it is about.
  public let subject: String
  private let play: @MainActor @Sendable (Stage) async -> Void

  init(
    _ number: Int, _ title: String, _ subject: String,
    _ play: @escaping @MainActor @Sendable (Stage) async -> Void
  ) {
    self.number = number
    self.title = title
    self.subject = subject
    self.play = play
  }

  /// Plays the scenario on a stage.
  public func run(on stage: Stage) async {
    await play(stage)
    await stage.settle()
  }

  /// All scenarios, in order.
  public static let all: [Scenario] = [
    basicCollection, basicTable, discreteSections, discreteTable, uniqueAcrossSections,
    uniqueAcrossTable, carousels, sectionedCarousels, dataFactory, nonUnique, nonUniqueSections,
    manualTiming, customAnimations, customAnimationsPerSection, customAnimationsForAll,
  ]
}
