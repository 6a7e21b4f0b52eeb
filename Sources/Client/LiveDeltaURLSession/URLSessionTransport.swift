public import LiveDeltaClient

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A transport over `URLSession`.
///
/// Requests run side by side. A Unix domain socket cannot be reached.
public final class URLSessionTransport: DeltaTransport {
  private let session: URLSession
  private let tasks = SessionTasks()

  /// Creates a transport.
  ///
  /// ```swift
  /// let configuration = URLSessionTransport.configuration
  /// configuration.allowsCellularAccess = false
  /// let transport = URLSessionTransport(configuration: configuration)
  /// ```
  ///
  /// - Parameter configuration: That of the session; not one of background transfers, which have no streams.
  public init(configuration: URLSessionConfiguration = URLSessionTransport.configuration) {
    session = URLSession(configuration: configuration, delegate: tasks, delegateQueue: nil)
  }

  /// A new configuration without cookies, caches and stored credentials, to change and to pass on.
  public static var configuration: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpMaximumConnectionsPerHost = 16
    return configuration
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
