package import VersionedCollections

/// What every store does; the tests of each store check all of it.
package enum StoreConformance: CaseIterable, Sendable {
  /// A change rests on the head that it names, or is a conflict.
  case heads
  /// A transaction happens as a whole or not at all.
  case wholeTransactions
  /// Clients are listed by ranges of their names.
  case ranges
  /// Each of many transactions at once is answered once, in some order.
  case order
  /// What was committed is read back, by a store that keeps contents.
  case contents

  /// Checks a rule.
  ///
  /// - Parameter store: A store with nothing in it.
  /// - Returns: What is not as it should be.
  /// - Throws: An error of the store.
  package func violations(of store: any CollectionStore) async throws -> [String] {
    var check = Check(store: store)
    switch self {
    case .heads: try await check.heads()
    case .wholeTransactions: try await check.wholeTransactions()
    case .ranges: try await check.ranges()
    case .order: try await check.order()
    case .contents: if store.keepsContents { try await check.contents() }
    }
    return check.violations
  }
}

private struct Check {
  let store: any CollectionStore
  var violations: [String] = []

  /// What a service over a store in memory commits.
  private func steps(
    _ write: (ServiceBench) async throws -> Void
  ) async throws -> [StoreTransaction] {
    let recorder = RecordingStore()
    try await write(ServiceBench(store: recorder))
    return recorder.transactions
  }

  private mutating func expect(_ isTrue: Bool, _ what: String) {
    if !isTrue { violations.append(what) }
  }

  private mutating func expect(
    _ step: StoreTransaction, _ expected: StoreError?, _ what: String
  ) async {
    let outcome = await store.outcome(step)
    expect(outcome == expected, "\(what): \(String(describing: outcome))")
  }

  private mutating func expect(count: Int) async {
    let found = await store.count()
    expect(found == count, "\(String(describing: found)) collections, not \(count)")
  }

  mutating func heads() async throws {
    let steps = try await steps { bench in
      _ = try await bench.put(#"[{"id":1}]"#)
      _ = try await bench.put(#"[{"id":2}]"#)
      _ = try await bench.delete()
    }
    await expect(steps[1], .conflict, "a change to nothing")
    await expect(steps[2], .conflict, "a deletion of nothing")
    await expect(steps[0], nil, "the first version")
    await expect(steps[0], .conflict, "the first version again")
    await expect(steps[2], .conflict, "a deletion of a later version")
    await expect(steps[1], nil, "the second version")
    await expect(steps[1], .conflict, "the second version again")
    await expect(count: 1)
    await expect(steps[2], nil, "the deletion")
    await expect(count: 0)
    await expect(steps[0], nil, "the first version after a deletion")
    expect(store.isReady, "the store is not ready")
  }

  mutating func wholeTransactions() async throws {
    let steps = try await steps { bench in
      _ = try await bench.put(#"[{"id":1}]"#)
      _ = try await bench.put(#"[{"id":2}]"#)
      let other = CollectionKey(client: bench.key.client, name: name("other"))
      _ = try await bench.put(#"[{"id":3}]"#, to: other)
    }
    var pair = steps[2]
    pair.entries += steps[1].entries
    await expect(pair, .conflict, "a pair, one of which rests on nothing")
    await expect(count: 0)
    await expect(steps[0], nil, "the first version")
    await expect(pair, nil, "the pair")
    await expect(steps[2], .conflict, "half of the pair again")
    await expect(count: 2)
  }

  mutating func ranges() async throws {
    let names = ["-", "A", "a", "ab", "ab.c", "a~", "b", "ba", "~", "~~"]
    let steps = try await steps { bench in
      for (index, client) in names.enumerated() {
        for number in 0...index % 3 {
          let key = CollectionKey(client: name(client), name: name("c\(number)"))
          _ = try await bench.put("[]", to: key)
        }
      }
    }
    for step in steps { await expect(step, nil, "\(step.client)") }
    for range in [.all, NameRange(prefix: "a"), NameRange(only: "ab"), NameRange(only: "c")] {
      for after in [nil, name("a"), name("ab"), name("zz"), name("~~")] {
        for limit in [1, 2, 100] {
          let found = try await withCheckedContinuation { continuation in
            store.clients(in: range, after: after, limit: limit) {
              continuation.resume(returning: $0)
            }
          }.get()
          let expected = names.enumerated().filter { _, text in
            (range.first == range.last ? text == range.first : text.hasPrefix(range.first))
              && after.map { $0 < name(text) } ?? true
          }.prefix(limit).map { ClientSummary(name: name($1), collectionCount: $0 % 3 + 1) }
          expect(found == expected, "\(range) after \(String(describing: after)): \(found)")
        }
      }
    }
  }

  mutating func order() async throws {
    let steps = try await steps { bench in
      for number in 0..<200 {
        let key = CollectionKey(client: name("u\(number % 7)"), name: name("c\(number)"))
        _ = try await bench.put("[{\"id\":\(number)}]", to: key)
      }
    }
    let store = store
    let committed = await withTaskGroup(of: Bool.self) { group in
      for step in steps + steps { group.addTask { await store.outcome(step) == nil } }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    expect(committed == 200, "\(committed) of 200 are committed")
    await expect(count: 200)
  }

  mutating func contents() async throws {
    let bench = ServiceBench(store: store)
    var versions: [VersionToken] = []
    for number in 1...9 {
      let items = (1...number).map { "{\"id\":\($0),\"n\":\(number)}" }
      versions.append(try await bench.put("[\(items.joined(separator: ","))]").version)
    }
    let parts: [StoredPart] = [
      .summaries, .collection(bench.key.name, unlessAt: versions[8]),
      .collection(bench.key.name, unlessAt: versions[7]), .version(bench.key.name, versions[3]),
      .history(bench.key.name), .records(nil), .collection(name("none"), unlessAt: nil),
    ]
    let values = try await withCheckedContinuation { continuation in
      store.read(parts, of: bench.key.client) { continuation.resume(returning: $0) }
    }.map { try $0.get() }
    guard case .summaries(let list) = values[0], case .unchanged = values[1],
      case .collection(let newest?) = values[2], case .version(let older?) = values[3],
      case .history(let history?) = values[4], case .records(let records) = values[5],
      case .collection(nil) = values[6]
    else { return expect(false, "\(values)") }
    expect(list.map(\.version) == [versions[8]] && list.map(\.itemCount) == [9], "\(list)")
    expect(newest.version == versions[8] && newest.versions == versions, "\(newest.versions)")
    expect(older.version == versions[3] && older.itemCount == 4, "\(older.version)")
    expect(history.collection.version == versions[8] && history.damage == nil, "no history")
    expect(history.collection.oldestWithContents == 1, "contents of older versions are missing")
    expect(records.isEmpty, "\(records)")
  }
}
