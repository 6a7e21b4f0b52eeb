// The service beside what people do today: service-benchmark bytes|times|put [options]
import Foundation

do {
  let options = try Options(CommandLine.arguments.dropFirst())
  switch options.command {
  case "bytes": try Bytes.run(options)
  case "times": try Times.run(options)
  case "put": try Puts.run(options)
  default: throw BenchmarkError(text: "bytes, times or put?")
  }
} catch {
  print("\(error)")
  exit(1)
}
