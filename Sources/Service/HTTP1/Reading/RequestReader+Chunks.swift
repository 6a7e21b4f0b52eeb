extension PendingBody {
  /// Reads chunks, which may be split at any byte: data in runs, everything else byte by byte.
  mutating func readChunks(
    _ chunks: inout ChunkProgress, _ bytes: Span<UInt8>, _ position: inout Int,
    _ limits: RequestLimits, into content: inout [UInt8]
  ) throws(RequestError) -> Bool {
    var quota = quota
    while position < bytes.count {
      if chunks.step == .data {
        let count = min(chunks.remaining, bytes.count - position, quota)
        guard count > 0 else { return false }
        quota -= count
        try keep(bytes.extracting(position..<(position + count)), in: &content)
        position += count
        chunks.remaining -= count
        if chunks.remaining == 0 { chunks.step = .dataEnd }
        continue
      }
      let byte = bytes[position]
      position += 1
      if try chunks.take(byte, limits) { return true }
    }
    return false
  }
}

extension ChunkProgress {
  /// Consumes one byte that is not data; returns whether it ends the body.
  mutating func take(_ byte: UInt8, _ limits: RequestLimits) throws(RequestError) -> Bool {
    switch step {
    case .size: try takeSize(byte, limits)
    case .extension: try takeExtension(byte, limits)
    case .sizeEnd: try takeSizeEnd(byte)
    case .data, .dataEnd: step = try expect(0x0D, byte, .chunkEnd, then: .dataFeed)
    case .dataFeed: step = try expect(0x0A, byte, .chunkEnd, then: .size)
    case .lastFeed:
      guard byte == 0x0A else { throw .malformed(.trailer) }
      return true
    default: try takeTrailer(byte, limits)
    }
    return false
  }

  private func expect(
    _ wanted: UInt8, _ byte: UInt8, _ defect: RequestDefect, then next: Step
  ) throws(RequestError) -> Step {
    guard byte == wanted else { throw .malformed(defect) }
    return next
  }

  /// Accepts hexadecimal digits only: no sign, `0x`, or space.
  private mutating func takeSize(_ byte: UInt8, _ limits: RequestLimits) throws(RequestError) {
    if let value = byte.hexValue {
      digits += 1
      guard digits <= Self.digitsMax else { throw .malformed(.chunkSize) }
      // Over the limit only overflow has to be prevented.
      remaining = min(remaining &<< 4 | value, Int.max &>> 4)
      return
    }
    guard digits > 0 else { throw .malformed(.chunkSize) }
    guard remaining <= limits.bodyBytesMax - total else {
      throw .bodyTooLarge(limit: limits.bodyBytesMax)
    }
    guard byte != 0x0D else { return step = .sizeEnd }
    guard let place = ChunkExtension.end.after(byte) else { throw .malformed(.chunkSize) }
    (step, self.place) = (.extension, place)
  }

  /// Skips extensions, whose total size is limited (RFC 9112 §7.1.1).
  private mutating func takeExtension(_ byte: UInt8, _ limits: RequestLimits) throws(RequestError) {
    extensionBytes += 1
    guard extensionBytes <= limits.chunkExtensionBytesMax else {
      throw .malformed(.chunkExtension)
    }
    if byte == 0x0D, place.mayEnd { return step = .sizeEnd }
    guard let next = place.after(byte) else { throw .malformed(.chunkExtension) }
    place = next
  }

  private mutating func takeSizeEnd(_ byte: UInt8) throws(RequestError) {
    guard byte == 0x0A else { throw .malformed(.chunkSize) }
    total += remaining
    step = remaining == 0 ? .trailerLine : .data
    digits = 0
  }

  /// Validates trailer fields as header fields and drops them (RFC 9110 §6.5.1).
  private mutating func takeTrailer(_ byte: UInt8, _ limits: RequestLimits) throws(RequestError) {
    trailerBytes += 1
    guard trailerBytes <= limits.trailerBytesMax else {
      throw .headerTooLarge(limit: limits.trailerBytesMax)
    }
    switch (step, byte) {
    case (.trailerLine, 0x0D): step = .lastFeed
    case (.trailerName, UInt8(ascii: ":")): step = .trailerValue
    case (.trailerLine, _), (.trailerName, _):
      guard ByteClass.token.contains(byte) else { throw .malformed(.trailer) }
      step = .trailerName
    case (.trailerValue, 0x0D): step = .trailerFeed
    case (.trailerValue, _):
      guard byte.isFieldValue else { throw .malformed(.trailer) }
    default: step = try expect(0x0A, byte, .trailer, then: .trailerLine)
    }
  }
}
