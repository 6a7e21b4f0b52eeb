import TestSupport
import Testing

/// Snapshots of collections whose items and sections have their ids elsewhere than in `id`.
@Suite struct IDPathTests {
  private let inbox = TestService.inbox
  private let sections = #""sections":[{"key":"s","items":[{"key":"a","n":1},{"key":"b","n":2}]}]"#

  @Test func `every snapshot says where ids are, unless they are in id`() async throws {
    try await TestService.run { server in
      let content = #"{"settings":{"idPath":"/key"},\#(sections)}"#
      let written = try await server.send(
        "PUT", inbox, ["Prefer": "return=representation"], content)
      let version = try #require(written["Collection-Version"])
      let held = #"{"collections":{"inbox":null}}"#
      let answers = [
        written, try await server.send("GET", inbox),
        try await server.send("GET", inbox + "?version=\(version)"),
        try await server.send("GET", inbox + "/delta"),
        try await server.send("GET", inbox + "/delta?since=aaaaaaaa.1.smi5BHIsjcU2NK83"),
        try await server.send("POST", "/v1/clients/u42/sync", [:], held),
      ]
      for answer in answers {
        #expect(
          answer.text.contains(#","seq":1,"#)
            && answer.text.contains(#","idPath":"/key",\#(sections)"#))
      }
      let first = try await server.send("GET", inbox)
      let same = try await server.send("PUT", inbox, [:], first.text)
      #expect(same.status == 200 && same.json["changed"].bool == false, "\(same.text)")
      _ = try await server.put(#"[{"id":1}]"#, to: "/v1/clients/u42/collections/plain")
      #expect(
        try await server.send("GET", "/v1/clients/u42/collections/plain").json["idPath"].exists
          == false)
    }
  }

  @Test func `another idPath forgets the versions that were read by the one before`() async throws {
    try await TestService.run { server in
      let content = #"{"settings":{"idPath":"/key"},"items":[{"key":"a","n":1},{"key":"b","n":2}]}"#
      let old = try await server.put(content)
      let tag = try #require(try await server.send("GET", inbox)["ETag"])
      #expect(
        try await server.send("PATCH", inbox + "/settings", [:], #"{"idPath":"/n"}"#).status == 200)
      #expect(try await server.send("GET", inbox + "?version=\(old)").status == 410)
      let reset = try await server.send("GET", inbox + "/delta?since=\(old)")
      #expect(reset.json["reset"]["reason"].string == "history-compacted")
      #expect(reset.json["idPath"].string == "/n")
      #expect(try await server.send("GET", inbox, ["If-None-Match": tag]).status == 200)
    }
  }

  @Test func `an empty list has another tag once its ids are elsewhere`() async throws {
    try await TestService.run { server in
      let version = try await server.put("[]")
      let tag = try #require(try await server.send("GET", inbox)["ETag"])
      #expect(
        try await server.send("PATCH", inbox + "/settings", [:], #"{"idPath":"/n"}"#).status == 200)
      let answer = try await server.send("GET", inbox, ["If-None-Match": tag])
      #expect(answer.status == 200 && answer["Collection-Version"] == version)
      #expect(answer.json["idPath"].string == "/n")
    }
  }

  @Test func `v1 diff reads both lists by the idPath of one that the service sent`() async throws {
    try await TestService.run { server in
      _ = try await server.put(#"{"settings":{"idPath":"/key"},\#(sections)}"#)
      let head = try await server.send("GET", inbox).text
      let body = #"{"old":\#(head),"new":{"sections":[{"key":"s","items":[{"key":"b","n":2}]}]}}"#
      let diff = try await server.send("POST", "/v1/diff", [:], body)
      #expect(diff.status == 200 && "\(diff.json["deleted"])" == #"["a"]"#, "\(diff.text)")
    }
  }

  @Test func `sections that sectionBy makes are taken back, whatever the idPath`() async throws {
    try await TestService.run { server in
      let settings = #""settings":{"idPath":"/key","sectionBy":{"path":"/c"}}"#
      let version = try await server.put(#"{\#(settings),"items":[{"key":1,"c":"s"}]}"#)
      let first = try await server.send("GET", inbox).text
      let same = try await server.send("PUT", inbox, [:], first)
      #expect(same.json["changed"].bool == false, "\(same.text)")
      _ = try await server.put(#"{"items":[{"key":1,"c":"s"},{"key":2,"c":"t"}]}"#)
      let back = try await server.send("POST", inbox + "/revert", [:], #"{"to":"\#(version)"}"#)
      #expect(back.status == 200 && back.json["changed"].bool == true, "\(back.text)")
    }
  }
}
