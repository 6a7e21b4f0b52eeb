import Glibc
import Testing

/// How tests start programs.
struct ProgramTests {
  /// Foundation's `Process` reads past its list of descriptors then, and ends the tests.
  @Test func `a program starts however many descriptors its parent has open`() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = min(limit.rlim_max, 4096)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      while case let descriptor = dup(STDERR_FILENO), 0..<2048 ~= descriptor {}
      let outcome = try await Program.run("--help")
      #expect(outcome.status == 0)
      #expect(outcome.output.contains("serve"))
    }
  }
}
