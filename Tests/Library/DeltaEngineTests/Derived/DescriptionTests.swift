import DeltaEngine
import ListTestSupport
import Testing

/// Deltas as text.
@Suite struct DescriptionTests {
  @Test func `a delta is a line of text`() throws {
    let source = list("x:ABC")
    #expect("\(Delta.empty)" == "no changes")
    #expect("\(try Delta(from: source, to: list("x:B1AD")))" == "-[0,2] +[0,2] >[0,1]→[0,0] ~[0,0]")
    let sections = try Delta(from: list("x:A y:B z:"), to: list("n: z: y1:B"))
    #expect("\(sections)" == "-[0] +[0] >[2]→[1] ~[2] -[0,0]")
    let many = (0..<200).map { Item(id: "\($0)") }
    let long = try Delta(fromItems: [Item](), toItems: many).description
    #expect(long.hasPrefix("+[0,0] +[0,1] ") && long.hasSuffix("+[0,99] … and 100 more"))
  }
}
