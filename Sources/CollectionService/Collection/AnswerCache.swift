import DeltaEngine

/// What was computed for readers of the head: deltas, and bytes in each form.
///
/// Made once and shared by all who ask the same. Thrown away with the head; and, since readers may
/// come from many versions, when it holds too much.
struct AnswerCache {
  /// A delta to the head, or why there is none.
  enum Outcome {
    /// The delta, and the structure that it starts from.
    case delta(Delta, source: [StructureSection])
    /// Over a threshold.
    case tooLarge
    /// The simulator refused it.
    case refused
  }

  private struct Key: Hashable {
    var from: Int
    var form: AnswerForm
  }

  static let bytesMax = 16 << 20
  private var outcomes: [Int: Outcome] = [:]
  private var bodies: [Key: [UInt8]] = [:]
  private var byteCount = 0

  /// The delta from a version to the head, made at first sight.
  mutating func outcome(from seq: Int, make: () -> Outcome) -> Outcome {
    if let outcome = outcomes[seq] { return outcome }
    let outcome = make()
    outcomes[seq] = outcome
    return outcome
  }

  /// The bytes of an answer in a form, encoded at first sight; version 0 stands for the snapshot.
  mutating func body(from seq: Int, _ form: AnswerForm, encode: () -> [UInt8]) -> [UInt8] {
    let key = Key(from: seq, form: form)
    if let body = bodies[key] { return body }
    let body = encode()
    if byteCount + body.count > Self.bytesMax {
      bodies = [:]
      byteCount = 0
    }
    bodies[key] = body
    byteCount += body.count
    return body
  }
}
