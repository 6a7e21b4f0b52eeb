import Foundation
import Glibc
import TestSupport
import Testing

/// `demo`, at a desktop.
@Suite(.timeLimit(.minutes(10))) struct DemoTests {
  @Test func `on a desktop it has the page opened`() async throws {
    let files = try TemporaryFiles()
    let opener = try files.add("#!/bin/sh\necho \"$1\" >\"$TOLD\"\n", named: "xdg-open")
    let told = files.path + "/told"
    try #require(chmod(opener, 0o755) == 0 && mkfifo(told, 0o600) == 0)
    let terminal = try PseudoTerminal(columns: 120)
    async let demo = terminal.run(
      ["demo", "--listen", "127.0.0.1:0", "--every", "0", "--changes", "1"],
      environment: ["DISPLAY": ":0", "PATH": files.path + ":/usr/bin:/bin", "TOLD": told])
    // Opening waits for the writer.
    let pipe = try #require(FileHandle(forReadingAtPath: told))
    let page = String(decoding: try pipe.readToEnd() ?? Data(), as: UTF8.self)
    let shown = try await demo
    #expect(shown.hasPrefix("open \(page.dropLast()) in a browser") && !page.isEmpty, "\(shown)")
  }
}
