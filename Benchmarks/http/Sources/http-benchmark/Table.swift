import Foundation

/// The results of all rounds, and what is asked of them.
struct Table {
  private var results: [String: [String: [Result]]] = [:]

  mutating func add(_ result: Result, case name: String, server: String) {
    results[name, default: [:]][server, default: []].append(result)
  }

  private func medianOf(
    _ name: String, _ server: String, _ figure: (Result) -> Double
  ) -> Double? {
    results[name]?[server].map { median($0.map(figure)) }
  }

  func printCase(_ name: String, servers: [String]) {
    for server in servers {
      guard let rate = medianOf(name, server, \.rate), let p50 = medianOf(name, server, \.p50),
        let p99 = medianOf(name, server, \.p99),
        let processor = medianOf(name, server, \.processor)
      else { continue }
      let failed = results[name]?[server]?.contains(where: \.hasErrors) == true
      print(
        String(
          format: "%-24@ %-12@ %10.1f k/s  p50 %7.0f us  p99 %7.0f us  cpu %7.2f us%@",
          name as NSString, server as NSString, rate / 1000, p50, p99, processor,
          failed ? "  (errors)" : ""))
    }
  }

  /// What is to be reached: at least so many times the rate of another.
  private static let goals: [(name: String, server: String, times: Double)] = [
    ("document, 64", "hummingbird", 2.2), ("document, 64", "nginx", 1.4),
    ("put, 64", "hummingbird", 2), ("put, 64", "nginx", 1.2),
    ("health, 64, pipelined", "hummingbird", 10), ("document, 64, pipelined", "hummingbird", 10),
    ("health, 64", "epoll", 0.9), ("document, 64", "epoll", 0.9), ("put, 64", "epoll", 0.9),
  ]

  func printRatios() {
    for goal in Self.goals {
      guard let ours = medianOf(goal.name, "ours", \.rate),
        let other = medianOf(goal.name, goal.server, \.rate)
      else { continue }
      print(
        String(
          format: "%-24@ %.2f times %@ (wanted: %.1f)", goal.name as NSString, ours / other,
          goal.server as NSString, goal.times))
    }
  }
}
