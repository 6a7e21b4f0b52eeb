import Glibc

extension MetricsText {
  /// Adds what every Prometheus client says about its process, without what `/proc` does not say.
  mutating func addProcess() {
    guard let statistics = ProcessStatistics() else { return }
    let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
    process("process_cpu_seconds_total", "counter", "Processor time.", statistics.cpuTicks / ticks)
    process(
      "process_start_time_seconds", "gauge", "Start of the process, in seconds since 1970.",
      statistics.bootTime + statistics.startTicks / ticks)
    process("process_threads", "gauge", "Threads.", statistics.threads)
    process(
      "process_virtual_memory_bytes", "gauge", "Virtual memory.", statistics.virtualBytes)
    process(
      "process_resident_memory_bytes", "gauge", "Resident memory.",
      statistics.residentPages * Double(sysconf(Int32(_SC_PAGESIZE))))
    process("process_open_fds", "gauge", "Open file descriptors.", statistics.openDescriptors)
    process(
      "process_max_fds", "gauge", "The limit on open file descriptors.", statistics.descriptorsMax)
  }

  private mutating func process(_ name: String, _ type: String, _ help: String, _ number: Double) {
    if number.isNaN { return }
    metric(name, type, help, prefix: "")
    value(name, number, prefix: "")
  }
}

/// Numbers of this process, as in proc(5); NaN for what is not known.
private struct ProcessStatistics {
  let cpuTicks: Double
  let startTicks: Double
  let threads: Double
  let virtualBytes: Double
  let residentPages: Double
  let openDescriptors: Double
  let descriptorsMax: Double
  /// In seconds since 1970.
  let bootTime: Double

  init?() {
    guard let stat = Self.read("/proc/self/stat"), let system = Self.read("/proc/stat") else {
      return nil
    }
    // The name of the program, in parentheses, may have spaces; the third field follows it.
    let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].dropFirst()
      .split(separator: " ").map { Double($0) ?? .nan }
    guard fields.count > 21 else { return nil }
    cpuTicks = fields[11] + fields[12]
    threads = fields[17]
    startTicks = fields[19]
    virtualBytes = fields[20]
    residentPages = fields[21]
    let boot = system.split(separator: "\n").first { $0.hasPrefix("btime ") }
    bootTime = boot.flatMap { Double($0.dropFirst("btime ".count)) } ?? .nan
    var limit = rlimit()
    let isKnown = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    descriptorsMax = isKnown ? Double(limit.rlim_cur) : .nan
    openDescriptors = Self.entryCount(of: "/proc/self/fd").map { Double($0) } ?? .nan
  }

  private static func read(_ path: String) -> String? {
    guard let file = unsafe fopen(path, "re") else { return nil }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  private static func entryCount(of folder: String) -> Int? {
    guard let directory = unsafe opendir(folder) else { return nil }
    defer { unsafe closedir(directory) }
    // `.`, `..`, and the descriptor that it is read with.
    var count = -3
    while unsafe readdir(directory) != nil { count += 1 }
    return max(0, count)
  }
}
