import Glibc

/// The reason a server cannot listen.
public enum ListenError: Error, Equatable, CustomStringConvertible {
  /// The address is in use by another process or listener.
  case addressInUse(ListenAddress)
  /// The process lacks permission, for example for a port under 1024 or a directory it cannot
  /// write.
  case notPermitted(ListenAddress)
  /// The host name or address does not belong to this machine.
  case addressNotAvailable(ListenAddress)
  /// The path of a Unix domain socket is empty or too long for one.
  case pathNotUsable(ListenAddress)
  /// A file at the path of a Unix domain socket is not a socket.
  case pathTaken(ListenAddress)
  /// The inherited descriptor is not a listening socket.
  case notListening(ListenAddress)
  /// Another system error, by its number.
  case system(ListenAddress, errno: Int32)

  /// The address and what is wrong with it, in one sentence.
  public var description: String {
    switch self {
    case .addressInUse(let address): "\(address): the address is already in use"
    case .notPermitted(let address): "\(address): not permitted to listen there"
    case .addressNotAvailable(let address): "\(address): not an address of this machine"
    case .pathNotUsable(let address): "\(address): the path is empty or too long for a socket"
    case .pathTaken(let address): "\(address): a file that is not a socket is there"
    case .notListening(let address): "\(address): not a socket that listens"
    case .system(let address, let number): "\(address): \(unsafe String(cString: strerror(number)))"
    }
  }

  init(_ address: ListenAddress, errno number: Int32) {
    switch number {
    case EADDRINUSE: self = .addressInUse(address)
    case EACCES, EPERM: self = .notPermitted(address)
    case EADDRNOTAVAIL: self = .addressNotAvailable(address)
    default: self = .system(address, errno: number)
    }
  }
}
