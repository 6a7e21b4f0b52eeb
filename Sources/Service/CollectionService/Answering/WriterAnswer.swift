import VersionedCollections

/// The answer to a writer whose changes are durable, to be made on any queue.
struct WriterAnswer: Sendable {
  let prepared: PreparedWriteJob
  /// For each write the state that it made, if the writer wants more than a receipt.
  let collections: [CollectionState?]

  /// `client` is as after the commit.
  init(_ prepared: PreparedWriteJob, _ client: ClientState) {
    self.prepared = prepared
    collections = zip(prepared.writes, prepared.answers).map { write, wanted in
      if case .receipt = wanted { return nil }
      if case .create(let state, _) = write.effect { return state }
      // Another service may have written it since.
      let state = client.collections[write.name]?.state
      return state?.token == write.receipt?.version ? state : nil
    }
  }

  /// Whether it takes long to make.
  func isLong(_ context: AnswerContext) -> Bool {
    let byteCount = collections.reduce(0) { $0 + ($1?.contents.byteCount ?? 0) }
    return byteCount > context.limits.inlineBodyBytesMax
  }

  /// For where it is made if that takes long.
  var order: AnswerOrder { AnswerOrder(asker: .init(client: prepared.job.client)) }

  func answer(_ maker: AnswerMaker) {
    prepared.job.reply(
      .success(
        prepared.writes.indices.map { index in
          prepared.writes[index].result.map { receipt in
            var receipt = receipt
            receipt.answer = collections[index].flatMap {
              maker.answer(prepared.answers[index], receipt, $0, prepared.job)
            }
            return receipt
          }
        }))
  }
}

extension AnswerMaker {
  /// The answer that the writer requested in addition to the receipt; nil for none, and where it cannot be made: the
  /// write is answered with its receipt alone.
  ///
  /// A writer may see everything that it may write.
  fileprivate func answer(
    _ wanted: WriteRequest.Answer, _ receipt: WriteReceipt, _ state: CollectionState,
    _ job: WriteJob
  ) -> ReadAnswer? {
    let (form, since): (AnswerForm, VersionToken?)
    switch wanted {
    case .receipt: return nil
    case .snapshot(let wanted): (form, since) = (wanted, nil)
    case .delta(let wanted): (form, since) = (wanted, receipt.previous)
    }
    var request = ReadRequest(.everything, since: since, form: form)
    request.requestID = job.requestID
    do {
      return try answer(request, VisibleCollection(state, request.access), of: job.client).get()
    } catch {
      return nil
    }
  }
}
