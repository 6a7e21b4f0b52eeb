import StoreSQLite

extension Failure {
  init(_ error: StoreOpenError) {
    let status: ExitStatus =
      switch error.cause {
      case .missing: .missing
      case .permission: .denied
      case .inUse: .notNow
      case .newer, .older, .damaged: .data
      case .full, .system: .conflict
      }
    self.init(status, "\(error)")
  }
}
