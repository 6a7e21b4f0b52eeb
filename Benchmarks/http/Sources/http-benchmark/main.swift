// Runs the servers by turns under the same load and prints what they did.
//
//   http-benchmark [--seconds 3] [--rounds 5] [--servers ours,epoll,…] [--cases "document, 64",…]
import Foundation

let options = Options(CommandLine.arguments.dropFirst())
let tools = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
let servers = try Server.all(tools: tools).filter { options.wantsServer($0.name) }
defer { for server in servers { server.stop() } }
for server in servers { try server.start() }

var table = Table()
for load in Load.all where options.wantsCase(load.name) {
  for round in 1...options.rounds {
    // Whoever went first last time goes later now.
    for index in servers.indices {
      let server = servers[(index + round) % servers.count]
      guard load.isFor(server) else { continue }
      let result = try load.run(against: server, seconds: options.seconds)
      table.add(result, case: load.name, server: server.name)
    }
  }
  table.printCase(load.name, servers: servers.map(\.name))
}
if options.wantsCase("parked") {
  for server in servers where server.parks {
    let spans = try (0..<options.rounds).map { _ in try Parked.run(against: server, count: 1000) }
    print(
      "1,000 parked answered at once | \(server.name): last answer \(median(spans)) ms after the first"
    )
  }
}
if options.wantsCase("idle") {
  for server in servers {
    let bytes = try Idle.run(against: server, count: 10_000)
    print("idle connection at 10,000 | \(server.name): \(bytes) bytes resident")
  }
}
table.printRatios()
