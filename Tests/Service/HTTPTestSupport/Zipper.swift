import CZlib

/// zlib as the other side has it: what inflates answers and deflates bodies.
package final class Zipper {
  /// The container of the deflated blocks, by zlib's number for it.
  package enum Container: Int32 {
    case zlib = 15
    case gzip = 31
    case none = -15
  }

  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  /// Whether the end of the content was seen, its checksum right.
  package private(set) var isAtEnd = false

  /// A reader of one content, which may come in pieces.
  package init(_ container: Container) {
    stream.initialize(to: z_stream())
    livedelta_inflate_init(stream, container.rawValue)
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// All that can be read of what has come; nil when it is broken.
  package func inflate(_ bytes: [UInt8]) -> [UInt8]? {
    var input = bytes
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let isSound = input.withUnsafeMutableBufferPointer { input in
      stream.pointee.next_in = input.baseAddress
      stream.pointee.avail_in = UInt32(input.count)
      while true {
        let (code, count) = buffer.withUnsafeMutableBufferPointer { buffer in
          stream.pointee.next_out = buffer.baseAddress
          stream.pointee.avail_out = UInt32(buffer.count)
          let code = CZlib.inflate(stream, Z_SYNC_FLUSH)
          return (code, buffer.count - Int(stream.pointee.avail_out))
        }
        output += buffer[..<count]
        isAtEnd = code == Z_STREAM_END
        if isAtEnd { return stream.pointee.avail_in == 0 }
        if code == Z_BUF_ERROR || (code == Z_OK && count == 0) { return true }
        if code != Z_OK { return false }
      }
    }
    return isSound ? output : nil
  }

  /// A whole content inflated; nil when it is broken, not whole, or has something behind it.
  package static func inflate(_ bytes: [UInt8], _ container: Container) -> [UInt8]? {
    let zipper = Zipper(container)
    let text = zipper.inflate(bytes)
    return zipper.isAtEnd ? text : nil
  }

  /// A whole content deflated.
  package static func deflate(_ text: [UInt8], _ container: Container) -> [UInt8] {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    livedelta_deflate_init(stream, 9, container.rawValue)
    defer {
      deflateEnd(stream)
      stream.deallocate()
    }
    var input = text
    var output = [UInt8](repeating: 0, count: Int(deflateBound(stream, uLong(text.count))) + 64)
    let count = output.count
    input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.pointee.next_in = input.baseAddress
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        _ = CZlib.deflate(stream, Z_FINISH)
      }
    }
    return Array(output[..<(count - Int(stream.pointee.avail_out))])
  }
}
