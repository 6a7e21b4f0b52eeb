import TestSupport
import Testing

@Suite struct CollectionSettingsTests {
  private let inbox = TestService.inbox

  @Test func `settings are shown with their defaults, replaced and patched`() async throws {
    try await TestService.run { server in
      #expect(try await server.send("GET", inbox + "/settings").status == 404)
      let version = try await server.put("[]")
      let first = try await server.send("GET", inbox + "/settings")
      #expect(
        first.text
          == #"{"audience":"private","identity":"unique","equality":{"ignore":[]},"idPath":"/id","itemsPath":"/items","sectionsPath":"/sections","emptySections":"keep","dataCountAnimationThreshold":10000,"deltaCountAnimationThreshold":10000,"retention":{"versions":64,"seconds":604800,"bytes":1048576}}"#
      )
      #expect(first["Collection-Version"] == version)
      let put = try await server.send(
        "PUT", inbox + "/settings", [:],
        #"{"emptySections":"drop","sortBy":[{"path":"/n","type":"number"}],"animations":{"rows":{"insert":"fade"}}}"#
      )
      #expect(put.status == 200)
      #expect(put.json["emptySections"].string == "drop")
      let patch = try await server.send(
        "PATCH", inbox + "/settings", ["Content-Type": "application/merge-patch+json"],
        #"{"emptySections":null,"animations":{"rows":{"delete":"bottom"}}}"#)
      #expect(patch.status == 200)
      #expect(patch.json["emptySections"].string == "keep")
      #expect("\(patch.json["sortBy"])" == #"[{"path":"/n","order":"asc","type":"number"}]"#)
      #expect("\(patch.json["animations"])" == #"{"rows":{"insert":"fade","delete":"bottom"}}"#)
      let bad = try await server.send("PUT", inbox + "/settings", [:], #"{"x":1}"#)
      #expect(bad.status == 422)
      #expect(bad.json["errors"][0]["pointer"].string == "/x")
    }
  }

  @Test func `settings have a tag of their own, which a change can depend on`() async throws {
    try await TestService.run { server in
      _ = try await server.put("[]")
      let path = inbox + "/settings"
      let shown = try await server.send("GET", path)
      let tag = try #require(shown["ETag"])
      #expect(try await server.send("GET", path, ["If-None-Match": tag]).status == 304)
      let version = try #require(shown["Collection-Version"])
      #expect(try await server.send("GET", path, ["If-None-Match": "\"\(version)\""]).status == 200)
      let body = #"{"animations":{"rows":{"insert":"fade"}}}"#
      let changed = try await server.send("PUT", path, ["If-Match": tag], body)
      #expect(changed.status == 200 && changed["Collection-Version"] == version)
      let newTag = try #require(changed["ETag"])
      #expect(newTag != tag)
      #expect(try await server.send("PUT", path, ["If-Match": tag], "{}").status == 412)
      #expect(
        try await server.send("PUT", path, ["If-Match": "\"\(version)\""], body).status == 200)
      #expect(try await server.send("GET", path, ["If-None-Match": tag]).status == 200)
      #expect(try await server.send("PUT", path, ["If-Match": newTag], "{}").status == 200)
    }
  }

  @Test func `GET v1 tells the bounds of settings, and past one of them is 422 with the limit`()
    async throws
  {
    try await TestService.run { server in
      _ = try await server.put("[]")
      let told = try await server.send("GET", "/v1").json
      #expect(told["limits"]["collectionBytes"].int == 64 << 20)
      #expect(told["limits"]["settingsListMax"].int == 64)
      let retention = told["settings"]["retention"]
      for name in ["versions", "seconds", "bytes"] {
        let greatest = try #require(retention[name]["max"].int)
        let least = try #require(retention[name]["min"].int)
        for (number, status) in [(least, 200), (greatest, 200), (greatest + 1, 422)] {
          let body = #"{"retention":{"\#(name)":\#(number)}}"#
          let answer = try await server.send("PUT", inbox + "/settings", [:], body)
          #expect(answer.status == status, "\(body)")
          if status == 422 {
            #expect(answer.json["limit"].int == greatest)
            #expect(answer.json["errors"][0]["pointer"].string == "/retention/\(name)")
          }
        }
      }
      for name in ["dataCountAnimationThreshold", "deltaCountAnimationThreshold"] {
        let greatest = try #require(told["settings"][name]["max"].int)
        let body = #"{"\#(name)":\#(greatest + 1)}"#
        #expect(try await server.send("PUT", inbox + "/settings", [:], body).status == 422)
      }
    }
  }

  @Test func `animations come back with every delta and snapshot`() async throws {
    try await TestService.run { server in
      let from = try await server.put(
        #"{"settings":{"animations":{"rows":{"insert":"fade"}}},"items":[]}"#)
      _ = try await server.put(#"[{"id":1}]"#)
      let delta = try await server.send("GET", inbox + "/delta?since=\(from)")
      #expect("\(delta.json["animations"])" == #"{"rows":{"insert":"fade"}}"#)
      let snapshot = try await server.send("GET", inbox)
      #expect("\(snapshot.json["animations"])" == #"{"rows":{"insert":"fade"}}"#)
    }
  }
}
