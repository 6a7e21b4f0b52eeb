import DeltaEngine
import Dispatch
import Foundation
import LiveDeltaClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request in progress: the response that the session's delegate fills, until it is finished.
final class SessionTransfer: Sendable {
  typealias Completion = CheckedContinuation<Result<ClientResponse, ClientError>, Never>

  private struct State {
    var answer = ClientResponse(status: 0)
    var completion: Completion?
    /// Set once; what comes later is ignored.
    var result: Result<ClientResponse, ClientError>?
  }

  let request: ClientRequest
  private let state = Locked(State())

  init(_ request: ClientRequest) { self.request = request }

  /// Sets what is called with the result, which may be there already.
  func begin(_ completion: Completion) {
    let result = state.withLock { state in
      if state.result == nil { state.completion = completion }
      return state.result
    }
    if let result { completion.resume(returning: result) }
  }

  /// Ends the request with a result, unless it has one.
  func finish(_ result: Result<ClientResponse, ClientError>) {
    let completion = state.withLock { state in
      guard state.result == nil else { return Completion?.none }
      state.result = result
      return state.completion.take()
    }
    completion?.resume(returning: result)
  }

  /// Takes the head of the final response.
  func take(_ response: HTTPURLResponse) {
    let fields = response.allHeaderFields.compactMap { name, value in
      (name as? String).map { HeaderField($0, "\(value)") }
    }
    let head = ClientResponse(status: response.statusCode, fields: fields)
    state.withLock { $0.answer = head }
    if 200..<300 ~= head.status { request.onHead?(head) }
  }

  /// Takes a piece of the body; returns whether the request goes on.
  func take(_ data: Data) -> Bool {
    let isOver = state.withLock { $0.result != nil }
    guard !isOver else { return false }
    let status = state.withLock { $0.answer.status }
    if 200..<300 ~= status, let onPiece = request.onPiece {
      return onPiece([UInt8](data)) || overflow()
    }
    return state.withLock { state in
      guard state.answer.body.count + data.count <= request.bodyBytesMax else { return false }
      state.answer.body.append(contentsOf: data)
      return true
    } || overflow()
  }

  private func overflow() -> Bool {
    finish(.failure(.answerTooLarge(limit: request.bodyBytesMax)))
    return false
  }

  /// Takes the end of the request.
  func complete(_ error: (any Error)?) {
    guard let error else { return finish(.success(state.withLock { $0.answer })) }
    finish(.failure(Self.clientError(error)))
  }

  private static func clientError(_ error: any Error) -> ClientError {
    guard let error = error as? URLError else {
      return .transport(code: (error as NSError).code, reason: error.localizedDescription)
    }
    return switch error.code {
    case .timedOut: .timedOut(reason: error.localizedDescription)
    case .cancelled: .cancelled
    default: .transport(code: error.code.rawValue, reason: error.localizedDescription)
    }
  }

  /// Starts the timer of the whole response, if it has a limit.
  func startTimer(_ task: URLSessionTask) -> DispatchWorkItem? {
    guard request.timeoutMilliseconds > 0 else { return nil }
    let limit = request.timeoutMilliseconds
    let item = DispatchWorkItem { [weak self, weak task] in
      self?.finish(.failure(.timedOut(reason: "no complete answer in \(limit) ms")))
      task?.cancel()
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(limit), execute: item)
    return item
  }
}

/// Passes what a session reports on to the transfers.
final class SessionTasks: NSObject, URLSessionDataDelegate {
  private let transfers = Locked<[Int: SessionTransfer]>([:])

  func add(_ transfer: SessionTransfer, _ identifier: Int) {
    transfers.withLock { $0[identifier] = transfer }
  }

  private func transfer(_ task: URLSessionTask) -> SessionTransfer? {
    transfers.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    if let response = response as? HTTPURLResponse { transfer(dataTask)?.take(response) }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    if transfer(dataTask)?.take(data) == false { dataTask.cancel() }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64
  ) {
    transfer(task)?.request.onSent?(Int(totalBytesSent))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.complete(error)
  }
}
