import Foundation
public import LiveDeltaClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A transport over `URLSession`, without cookies, caches and stored credentials.
///
/// Requests run side by side. A Unix domain socket cannot be reached.
public final class URLSessionTransport: Transport {
  private let session: URLSession
  private let tasks = SessionTasks()

  /// Creates a transport.
  ///
  /// - Parameter allowsCellular: Whether requests may use the mobile network.
  public init(allowsCellular: Bool = true) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpMaximumConnectionsPerHost = 16
    configuration.allowsCellularAccess = allowsCellular
    session = URLSession(configuration: configuration, delegate: tasks, delegateQueue: nil)
  }

  deinit { session.invalidateAndCancel() }

  /// Sends a request.
  public func send(_ request: ClientRequest) async throws(ClientError) -> ClientResponse {
    let task = session.dataTask(with: try Self.urlRequest(request))
    let transfer = SessionTransfer(request)
    tasks.add(transfer, task.taskIdentifier)
    let timer = transfer.startTimer(task)
    defer { timer?.cancel() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        transfer.begin(continuation)
        task.resume()
      }
    } onCancel: {
      // The session's own report of the end may take its time.
      transfer.finish(.failure(.cancelled))
      task.cancel()
    }
    return try result.get()
  }

  private static func urlRequest(_ request: ClientRequest) throws(ClientError) -> URLRequest {
    guard case .url(let base) = request.address else {
      throw .badAddress("\"\(request.address)\": URLSession has no Unix domain sockets")
    }
    guard let url = URL(string: base + request.path) else {
      throw .badAddress("\"\(base)\(request.path)\" is no URL")
    }
    var result = URLRequest(url: url)
    result.httpMethod = request.method
    result.timeoutInterval = idleSeconds(request)
    for field in request.fields { result.addValue(field.value, forHTTPHeaderField: field.name) }
    if let body = request.body { result.httpBody = Data(body) }
    return result
  }

  /// The seconds without data after which the session gives up.
  private static func idleSeconds(_ request: ClientRequest) -> Double {
    if request.stallSeconds > 0 { return Double(request.stallSeconds) }
    return request.timeoutMilliseconds > 0 ? Double(request.timeoutMilliseconds) / 1000 + 1 : 86_400
  }
}

extension DeltaClient {
  /// Creates a client over `URLSession`.
  ///
  /// - Parameters:
  ///   - address: The address of the service.
  ///   - limits: The limits on time and size.
  ///   - token: The credential sent with each request; `nil` for none.
  public convenience init(
    _ address: ServerAddress, limits: Limits = Limits(), token: String? = nil
  ) {
    self.init(address, limits: limits) { _ in token }
  }

  /// Creates a client over `URLSession` whose credential changes.
  ///
  /// - Parameters:
  ///   - address: The address of the service.
  ///   - limits: The limits on time and size.
  ///   - tokens: Returns the credential of each request.
  public convenience init(
    _ address: ServerAddress, limits: Limits = Limits(), tokens: @escaping TokenProvider
  ) {
    self.init(address, limits: limits, tokens: tokens, transport: URLSessionTransport())
  }
}
