import VersionedCollections

extension Shard {
  /// Resolves the version that a job restores, reads its contents and submits the job again.
  ///
  /// No other older version is read until the job is done, which bounds the memory they take.
  func findTarget(of job: WriteJob, _ name: ResourceName, _ body: WriteBody) {
    do throws(ServiceError) {
      let version = try body.target(reader)
      guard let state = clients[job.client]?.collections[name]?.state else {
        throw .collectionNotFound
      }
      let record: VersionRecord
      switch state.records(of: [version]) {
      case .success(let records): record = records[0]
      case .failure(let failure): throw failure.error
      }
      withContents(of: RetainedVersion(state, record), job.client, job.requestID) {
        _, result, end in
        let job = job.reverting(to: result.mapError(\.error), end: end)
        self.perform { $0.submit(job) }
      }
    } catch {
      submit(job.reverting(to: .failure(error)))
    }
  }
}
