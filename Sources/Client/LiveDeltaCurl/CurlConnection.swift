import CCurl
import Dispatch
import LiveDeltaClient

/// A persistent connection over libcurl.
///
/// Requests run one at a time on a serial queue, which blocks; Swift's own threads do not. The easy
/// handle is driven through a multi handle, because only that can be woken from another thread, so
/// that a cancelled long poll ends at once.
///
/// `@unchecked Sendable`: the handles are accessed only on the queue, or in `deinit` when no work
/// is left. Only `wake` is called from other threads, as `curl_multi_wakeup` allows.
final class CurlConnection: @unchecked Sendable {
  private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  private let queue = DispatchQueue(label: "livedelta.client")
  private let multi: UnsafeMutableRawPointer?
  private let easy: UnsafeMutableRawPointer?
  private let reason = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  private let caFile: String?

  /// Creates a connection, which is made with the first request; it trusts the certificates in a file, or the system's.
  init(caFile: String?) {
    self.caFile = caFile
    let isReady = Self.isLibraryReady
    multi = isReady ? curl_multi_init() : nil
    easy = isReady ? curl_easy_init() : nil
    reason.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_multi_cleanup(multi)
    reason.deallocate()
  }

  /// Makes a waiting transfer check for cancellation; callable from any thread.
  private func wake() {
    if let multi { curl_multi_wakeup(multi) }
  }

  /// Sends a request after earlier ones.
  func send(_ request: ClientRequest) async throws(ClientError) -> ClientResponse {
    let transfer = CurlTransfer(request) { self.wake() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: self.perform(request, transfer)) }
      }
    } onCancel: {
      transfer.cancel()
    }
    return try result.get()
  }

  private func perform(
    _ request: ClientRequest, _ transfer: CurlTransfer
  ) -> Result<ClientResponse, ClientError> {
    guard let easy, let multi else {
      return .failure(.transport(code: Int(CURLE_FAILED_INIT.rawValue), reason: "no libcurl"))
    }
    guard !transfer.wasCancelled else { return .failure(.cancelled) }
    curl_easy_reset(easy)  // keeps the connection: it is the multi handle's
    let fields = FieldList(request.fields)
    setTarget(of: easy, request)
    setAnswer(of: easy, transfer)
    livedelta_curl_set_list(easy, CURLOPT_HTTPHEADER, fields.head)
    return withBody(of: request) { body in
      setBody(of: easy, request, body)
      let code = drive(easy, multi, transfer)
      return outcome(of: easy, code, transfer)
    }
  }

  // Options are refused only without memory, and by a libcurl that was built without them.
  private func setTarget(of easy: UnsafeMutableRawPointer, _ request: ClientRequest) {
    livedelta_curl_set_text(easy, CURLOPT_URL, request.address.base + request.path)
    livedelta_curl_set_long(easy, CURLOPT_PATH_AS_IS, 1)
    livedelta_curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    livedelta_curl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    livedelta_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    livedelta_curl_set_long(easy, CURLOPT_TCP_NODELAY, 1)
    livedelta_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, request.connectMilliseconds)
    livedelta_curl_set_long(easy, CURLOPT_TIMEOUT_MS, request.timeoutMilliseconds)
    livedelta_curl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, 1)
    livedelta_curl_set_long(easy, CURLOPT_LOW_SPEED_TIME, request.stallSeconds)
    if let caFile {
      livedelta_curl_set_text(easy, CURLOPT_CAINFO, caFile)
      livedelta_curl_set_text(easy, CURLOPT_CAPATH, nil)
    }
    if request.address.isLocal { livedelta_curl_set_text(easy, CURLOPT_PROXY, "") }
    if case .unix(let path) = request.address {
      livedelta_curl_set_text(easy, CURLOPT_UNIX_SOCKET_PATH, path)
    }
  }

  private func setBody(
    of easy: UnsafeMutableRawPointer, _ request: ClientRequest, _ body: UnsafeRawBufferPointer?
  ) {
    if let body {
      livedelta_curl_set_long(easy, CURLOPT_POST, 1)
      livedelta_curl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
      // libcurl borrows these bytes, and requires a pointer even if there are none.
      let empty = UnsafeMutableRawPointer(reason)
      let bytes = body.baseAddress.map(UnsafeMutableRawPointer.init(mutating:)) ?? empty
      livedelta_curl_set_pointer(easy, CURLOPT_POSTFIELDS, bytes)
    }
    if request.method == "HEAD" { livedelta_curl_set_long(easy, CURLOPT_NOBODY, 1) }
    livedelta_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method)
  }

  private func setAnswer(of easy: UnsafeMutableRawPointer, _ transfer: CurlTransfer) {
    reason.pointee = 0
    livedelta_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, reason)
    // libcurl sends this as `Accept-Encoding` and decodes the response.
    livedelta_curl_set_text(easy, CURLOPT_ACCEPT_ENCODING, "gzip")
    // Unretained: the transfer outlives `perform`, and no callback is called later.
    let context = Unmanaged.passUnretained(transfer).toOpaque()
    livedelta_curl_set_pointer(easy, CURLOPT_HEADERDATA, context)
    livedelta_curl_set_write(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      guard let context else { return 0 }
      let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
      transfer.take(line: UnsafeRawBufferPointer(start: bytes, count: size * count))
      return size * count
    }
    livedelta_curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
    livedelta_curl_set_write(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      guard let context else { return 0 }
      let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
      let isTaken = transfer.take(body: UnsafeRawBufferPointer(start: bytes, count: size * count))
      return isTaken ? size * count : 0
    }
  }

  /// Runs the transfer to completion; returns `nil` if it was cancelled.
  private func drive(
    _ easy: UnsafeMutableRawPointer, _ multi: UnsafeMutableRawPointer, _ transfer: CurlTransfer
  ) -> CURLcode? {
    curl_multi_add_handle(multi, easy)
    defer { curl_multi_remove_handle(multi, easy) }
    var running: Int32 = 1
    while running > 0 {
      guard !transfer.wasCancelled else { return nil }
      guard curl_multi_perform(multi, &running) == CURLM_OK else { return CURLE_FAILED_INIT }
      if let onSent = transfer.request.onSent { onSent(sentByteCount(easy)) }
      if running > 0 {
        curl_multi_poll(multi, nil, 0, transfer.request.onSent == nil ? 1000 : 200, nil)
      }
    }
    var left: Int32 = 0
    guard let message = curl_multi_info_read(multi, &left) else { return CURLE_FAILED_INIT }
    return message.pointee.data.result
  }

  private func sentByteCount(_ easy: UnsafeMutableRawPointer) -> Int {
    var count: curl_off_t = 0
    livedelta_curl_get_offset(easy, CURLINFO_SIZE_UPLOAD_T, &count)
    return Int(count)
  }

  private func outcome(
    of easy: UnsafeMutableRawPointer, _ code: CURLcode?, _ transfer: CurlTransfer
  ) -> Result<ClientResponse, ClientError> {
    guard let code else { return .failure(.cancelled) }
    if transfer.overflowed {
      return .failure(.answerTooLarge(limit: transfer.request.bodyBytesMax))
    }
    guard code == CURLE_OK else {
      let told = String(cString: reason)
      let sentence = told.isEmpty ? String(cString: curl_easy_strerror(code)) : told
      return .failure(
        code == CURLE_OPERATION_TIMEDOUT
          ? .timedOut(reason: sentence)
          : .transport(code: Int(code.rawValue), reason: sentence))
    }
    return .success(transfer.answer)
  }

  private func withBody<R>(
    of request: ClientRequest, _ action: (UnsafeRawBufferPointer?) -> R
  ) -> R {
    guard let body = request.body else { return action(nil) }
    return body.withUnsafeBytes { action($0) }
  }
}

/// A libcurl list of fields, freed with its owner.
private final class FieldList {
  private(set) var head: UnsafeMutablePointer<curl_slist>?

  init(_ fields: [HeaderField]) {
    for field in fields {
      // libcurl sends a field with an empty value for "Name;".
      let line = field.value.isEmpty ? field.name + ";" : field.name + ": " + field.value
      guard let longer = curl_slist_append(head, line) else { preconditionFailure("no memory") }
      head = longer
    }
  }

  deinit { curl_slist_free_all(head) }
}
