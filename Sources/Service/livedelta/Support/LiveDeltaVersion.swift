enum LiveDeltaVersion {
  static let text = "0.1.0"
}
