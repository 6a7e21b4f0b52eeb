import Glibc

/// Why a server could not listen.
public enum ListenError: Error, Equatable, CustomStringConvertible {
  /// Another process, or another listener of this one, has the address.
  case addressInUse(ListenAddress)
  /// The process may not use this address: a port under 1024, a directory it cannot write.
  case notPermitted(ListenAddress)
  /// The host name or address is none of this machine.
  case addressNotAvailable(ListenAddress)
  /// The path of a Unix domain socket is empty or too long for one.
  case pathNotUsable(ListenAddress)
  /// The path of a Unix domain socket is that of a file that is not a socket.
  case pathTaken(ListenAddress)
  /// The descriptor that was handed over is not that of a socket that listens.
  case notListening(ListenAddress)
  /// Another error of the system, by its number.
  case system(ListenAddress, errno: Int32)

  /// What is wrong and with which address, in one sentence.
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
