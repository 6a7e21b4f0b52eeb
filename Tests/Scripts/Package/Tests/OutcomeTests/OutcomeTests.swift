import Testing

// One test of each outcome, in the order in which they are written.
@Suite(.serialized) struct OutcomeTests {
  @Test func `a test that passes`() {}

  @Test(arguments: [1, 2]) func `a test with arguments that passes`(number: Int) {
    #expect(number > 0)
  }

  @Test(.disabled()) func `a test that is skipped`() {}

  @Test func `a known issue passes`() {
    withKnownIssue { #expect(Bool(false)) }
  }

  @Suite struct Failing {
    @Test(arguments: [1, 2]) func `a test that fails twice`(number: Int) {
      #expect(number == 0)
    }
  }

  @Suite struct Standing {
    @Test func `a test that does not end`() async {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
  }

  @Suite struct Crashing {
    @Test func `a test that ends the process`() { fatalError("as it should") }
  }
}
