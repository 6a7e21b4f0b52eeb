/// The bytes of a document and their tape, shared by all values in it.
final class JSONStorage: Sendable {
  let bytes: [UInt8]
  let tape: Tape

  init(bytes: [UInt8], tape: Tape) {
    self.bytes = bytes
    self.tape = tape
  }
}
