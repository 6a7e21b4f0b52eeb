extension Delta {
  /// Returns the delta with the headers that changed apart from reloads, for views that can show a header again
  /// without the cells of its section.
  ///
  /// `DeltaStep.headers` of the last step that inserts, deletes or moves names them, or of the only step; their
  /// items that changed are reloaded one by one.
  ///
  /// - Returns: A delta with the same changes, and with as many steps or one less.
  public func separatingHeaders() -> Delta {
    // By the laws of deltas a step that reloads sections is the last one, and refers to the final list.
    guard var last = steps.last, !last.reload.sections.isEmpty, !last.hasItemOperations,
      !last.hasSectionOperations,
      last.reload.sections.allSatisfy({ $0.at.index == $0.target.index })
    else { return self }
    let headers = last.reload.sections.map { SectionIndex<AfterSpace>($0.target.index) }
    last.reload.sections = []
    last.reload.items = changes.reloadedItems.map {
      ItemReload(at: $0.target.inSpace(), target: $0.target)
    }
    var delta = self
    delta.steps.removeLast()
    if delta.steps.isEmpty {
      last.headers = headers
    } else {
      delta.steps[delta.steps.count - 1].headers = headers
    }
    if last.operationCount > 0 { delta.steps.append(last) }
    return delta
  }
}
