// Those who ask the loop, or wait for their turn to be it.

extension SyncFeed {
  /// Waits for a turn to run, or for the answer of the one whose turn it is.
  func wait(isRun: Bool) async -> Result<Changes, ClientError> {
    let number = line.nextNumber()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard !Task.isCancelled else { return continuation.resume(returning: .failure(.cancelled)) }
        line.join(number, isRun: isRun, continuation)
        if !isRun && !line.isAnswering { wake() }
        passTurn()
      }
    } onCancel: {
      Task { await self.cancel(number) }
    }
  }

  private func cancel(_ number: Int) {
    line.end([number], with: .failure(.cancelled))
    if line.isAnswering && !line.hasPolls { wake() }
  }

  /// Gives the turn, if nobody has it, to the next run; else to those who ask once.
  private func passTurn() {
    guard !line.isOwned else { return }
    if line.beginRun() || !line.hasPolls { return }
    line.isOwned = true
    Task {
      while line.hasPolls {
        isWoken = false
        // An error is thrown to those who ask; there is nobody else.
        try? await answerPolls(nil)
      }
      leave()
    }
  }

  func leave() {
    save()
    line.isOwned = false
    passTurn()
  }

  /// Asks once for all who wait for an answer now.
  func answerPolls(_ show: Handler?) async throws(ClientError) {
    let numbers = line.polls
    line.isAnswering = true
    defer { line.isAnswering = false }
    do throws(ClientError) {
      let changes = try await ask(wait: nil)
      wasReached = true
      if let changes, let show { await pass(on: changes, show) }
      line.end(numbers, with: .success(changes ?? [:]))
    } catch {
      // If it is only the loop that ended or was woken, the next one asks.
      let isAskedAgain = error == .cancelled && (isWoken || Task.isCancelled)
      if !isAskedAgain { line.end(numbers, with: .failure(error)) }
      throw error
    }
  }
}
