import DeltaHTTP

/// The values of all settings; those of a new instance are the defaults.
struct Settings: Sendable {
  var listen = ["127.0.0.1:8080"]
  var ops = "127.0.0.1:8081"
  var data = "livedelta-data"
  var durability = "full"
  var server = "127.0.0.1:8080"
  var databaseNotices = ""
  var caFile = ""
  var log = LogSettings()
  var auth = AuthSettings()
  var webhook = WebhookSettings()
  var traces = TraceSettings()
  var service = DeltaServerConfiguration()
}

/// What is logged, where and how.
struct LogSettings: Sendable {
  var level = "info"
  var access = "stdout"
  var format = "auto"
  var names = "hashed"
}

/// Who may do what.
struct AuthSettings: Sendable {
  var mode = "auto"
  var keysFile = ""
  var keys = ""
  var jwks = ""
  var issuer = ""
  var audience = ""
  var forwardURL = ""
  var forwardCookies: [String] = []
}

struct WebhookSettings: Sendable {
  var url = ""
  var secretFile = ""
}

struct TraceSettings: Sendable {
  var url = ""
  var headersFile = ""
  var ratio = 0.01
}
