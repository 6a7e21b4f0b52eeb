import DeltaEngine
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import Testing

/// Animations of rows and sections, by section and by section id.
@MainActor @Suite struct AnimationPreferenceTests {
  let queues = ManualQueues()
  let journal = Journal<String>()

  private let lively = TableViewAnimationModel(
    deleteAnimation: .left, insertAnimation: .right, reloadAnimation: .middle)

  private func textView(
    content: @escaping @Sendable () -> [TextListView.Section]
  ) -> TextListView {
    let journal = journal
    return TextListView(showsAnimations: true, write: { journal.note($0) }, content: content)
  }

  private nonisolated func section(_ section: Section) -> TextListView.Section {
    TextListView.Section(header: section.uniqueID, rows: section.items.map { "\($0)" })
  }

  @Test func `a collection's rows have their own animations`() {
    let data = CollectionData(items("AB"), section: 1, queues: queues.queues)
    let view = textView { [weak data] in
      [
        .init(header: "other", rows: []),
        .init(header: "x", rows: (data?.items ?? []).map { "\($0)" }),
      ]
    }
    data.view = view
    queues.runAll()
    _ = journal.take()
    data.update(items("B1C"))
    queues.runAll()
    #expect(
      journal.take() == ["- [1, 0] A (bottom)", "+ [1, 1] C (fade)", "~ [1, 1] B1 (fade)"])
    data.rowAnimations = lively
    data.update(items("C1A"))
    queues.runAll()
    #expect(
      journal.take() == ["- [1, 0] B1 (left)", "+ [1, 1] A (right)", "~ [1, 1] C1 (middle)"])
    data.deltaCountAnimationThreshold = 0
    data.sectionReloadAnimation = .top
    data.update(items("A"))
    queues.runAll()
    #expect(journal.take() == ["~ section 1 x (top)"])
  }

  @Test func `B7: members of a synchronizer keep their animations in the common batch`() {
    let members = [0, 1, 2].map {
      CollectionData(items("A"), section: $0, queues: queues.queues)
    }
    let view = textView { [members] in
      members.map { .init(header: "\($0.section)", rows: $0.items.map { "\($0)" }) }
    }
    let synchronizer = CollectionDataSynchronizer(delay: .none)
    for data in members {
      data.view = view
      data.synchronizer = synchronizer
    }
    members[1].rowAnimations = lively
    queues.runAll()
    _ = journal.take()
    for data in members { data.update(items("AB")) }
    queues.runAll()
    #expect(
      journal.entries == [
        "+ [0, 1] B (fade)", "+ [1, 1] B (right)", "+ [2, 1] B (fade)",
      ])
  }

  @Test func `sections have animations by their id, before and after they move`() {
    let data = CollectionSectionData(list("x:A y:B"), queues: queues.queues)
    let view = textView { [weak data] in (data?.sections ?? []).map { section($0) } }
    data.setAnimations(
      TableViewAnimations(
        rows: TableViewAnimationModel(
          deleteAnimation: .top, insertAnimation: .top, reloadAnimation: .top),
        sections: .defaultSections, rowsBySection: ["y": lively], sectionsByID: ["n": lively]))
    data.view = view
    queues.runAll()
    _ = journal.take()
    data.update(list("n:E y:BC x:AD"))
    queues.runAll()
    #expect(
      journal.take() == [
        "+ section 0 n, 1 row (right)", "> section 1 to 1 y",
        "+ [1, 1] C (right)", "+ [2, 1] D (top)",
      ])
    data.update(list("y1:B x:A"))
    queues.runAll()
    #expect(
      journal.take() == [
        "- section 0 n (left)", "- [1, 1] C (left)", "- [2, 1] D (top)", "~ section 0 y (none)",
      ])
  }

  @Test func `a batch knows the animation of each operation`() {
    let animations = BatchAnimations(
      before: [1: .init(rows: lively, section: lively)],
      after: [2: .init(rows: lively, section: lively)])
    #expect(animations.delete(ItemPath<BeforeSpace>(section: 1, item: 0)) == .left)
    #expect(animations.delete(ItemPath<BeforeSpace>(section: 2, item: 0)) == .bottom)
    #expect(animations.insert(SectionIndex<AfterSpace>(2)) == .right)
    #expect(animations.insert(SectionIndex<AfterSpace>(1)) == .fade)
    #expect(animations.reload(SectionIndex<BeforeSpace>(1)) == .middle)
    #expect(animations.reload(SectionIndex<BeforeSpace>(0)) == TableViewAnimation.none)
  }
}
