extension SyncFeed {
  /// Asks for another window, of a feed of one view: the newest wish counts, and one is asked for at a time.
  func setWindow(_ window: String) {
    wish = window == contents.window ? nil : window
    if !isMoving && !line.isAnswering && movesWindow { wake() }
  }

  /// Has what is held be that of another window, which shows the same, unless another is wished for; while an
  /// event is shown.
  func hold(_ window: String) {
    guard wish == nil, window != contents.window else { return }
    contents.hold(window)
    if !isMoving && !line.isAnswering { wake() }
  }

  func takeWish() {
    if let wish { contents.move(to: wish) }
    wish = nil
  }

  /// Asks for the window that is wished for, once the wish stays the same for a moment.
  func moveWindow(_ show: Handler) async throws(ClientError) {
    isMoving = true
    defer { isMoving = false }
    for _ in 0..<5 {
      let last = wish
      try await pause(options.windowPause)
      if wish == last { break }
    }
    let changes = try await ask(wait: nil)
    wasReached = true
    if let changes { await pass(on: changes, show) }
  }
}
