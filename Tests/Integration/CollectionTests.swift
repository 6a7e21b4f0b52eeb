import LiveDeltaClient
import TestSupport
import Testing

@Suite struct CollectionTests {
  private let inbox = TestServer.inbox

  @Test func `a PUT that creates is 201 with a location, one that changes 200`() async throws {
    try await TestServer.run { server in
      let first = try await server.send("PUT", inbox, [:], #"{"items":[{"id":1},{"id":"b"}]}"#)
      #expect(first.status == 201)
      #expect(first["Location"] == inbox)
      #expect(first["Content-Type"] == "application/json")
      #expect(first["Cache-Control"] == "no-store")
      #expect(first["Collection-Version"] == first.json["version"].string)
      #expect(first.json.keys == ["version", "seq", "previous", "changed", "counts"])
      #expect("\(first.json["previous"])" == "null")
      #expect(
        "\(first.json["counts"])"
          == #"{"sectionsInserted":1,"sectionsDeleted":0,"sectionsMoved":0,"sectionsReloaded":0,"inserted":2,"deleted":0,"moved":0,"reloaded":0}"#
      )
      let second = try await server.send("POST", inbox, [:], #"[{"id":1}]"#)
      #expect(second.status == 200)
      #expect(second.json["seq"].int == 2)
      #expect(second.json["previous"].string == first.json["version"].string)
      #expect(second.json["changed"].bool == true)
      let third = try await server.send("PUT", inbox, [:], #"{ "items" : [ {"id":1} ] }"#)
      #expect(third.status == 200)
      #expect(third.json["changed"].bool == false)
      #expect(third.json["version"].string == second.json["version"].string)
    }
  }

  @Test func `a GET gives the content as it was sent, minified`() async throws {
    try await TestServer.run { server in
      let version = try await server.put(
        #"{"sections":[{"title":"A\u00e9","id":"s","items":[ {"n":1.00,"id":7} ]},{"id":"t","items":[]}],"meta":{"x":[1, 2]}}"#
      )
      let answer = try await server.send("GET", inbox)
      #expect(answer.status == 200)
      #expect(
        answer.text
          == #"{"kind":"snapshot","collection":"inbox","version":"\#(version)","seq":1,"sections":[{"title":"A\u00e9","id":"s","items":[{"n":1.00,"id":7}]},{"id":"t","items":[]}],"meta":{"x":[1,2]}}"#
      )
      #expect(answer["ETag"] == "\"\(version)\"")
      #expect(answer["Collection-Version"] == version)
      #expect(answer["Cache-Control"] == "private, no-cache")
      #expect(answer["Vary"] == "Accept-Encoding, Accept, Authorization")
      let head = try await server.send("HEAD", inbox)
      #expect(head.status == 200)
      #expect(head.body.isEmpty)
      #expect(head["Content-Length"] == "\(answer.body.count)")
      #expect(head["ETag"] == answer["ETag"])
    }
  }

  @Test func `If-None-Match is 304, whichever representation was cached`() async throws {
    try await TestServer.run { server in
      let version = try await server.put("[]")
      let media = "application/vnd.livedelta.snapshot+json"
      let other = try await server.send("GET", inbox, ["Accept": media])
      #expect(other["Content-Type"] == media)
      let otherTag = try #require(other["ETag"])
      #expect(otherTag != "\"\(version)\"")
      for tag in ["\"\(version)\"", "W/\"\(version)\"", otherTag, "\"x\", \(otherTag)", "*"] {
        let answer = try await server.send("GET", inbox, ["If-None-Match": tag])
        #expect(answer.status == 304, "\(tag)")
        #expect(answer.body.isEmpty)
        #expect(answer["ETag"] == "\"\(version)\"")
        #expect(answer["Collection-Version"] == version)
      }
      #expect(try await server.send("GET", inbox, ["If-None-Match": "\"x\""]).status == 200)
    }
  }

  @Test func `conditions of writes`() async throws {
    try await TestServer.run { server in
      let first = try await server.put("[]")
      let tag = "\"\(first)\""
      for fields in [
        ["If-None-Match": "*"], ["If-None-Match": tag], ["If-Match": "W/" + tag],
        ["If-Match": "\"other\""], ["Collection-If-Version": "abcdefgh.1.AAAAAAAAAAAAAAAA"],
      ] {
        let answer = try await server.send("PUT", inbox, fields, #"[{"id":1}]"#)
        #expect(answer.status == 412, "\(fields)")
        #expect(answer["Content-Type"] == "application/problem+json")
        let isCreate = fields["If-None-Match"] == "*"
        #expect(answer.json["code"].string == (isCreate ? "collection-exists" : "version-conflict"))
        #expect(answer.json["current"].string == first)
        #expect(answer["Collection-Version"] == first)
      }
      let bad = try await server.send("PUT", inbox, ["Collection-If-Version": "x"], "[]")
      #expect(bad.status == 400)
      #expect(bad.json["code"].string == "bad-token")
      let second = try await server.send(
        "PUT", inbox, ["If-Match": "\"\(first);snapshot\""], #"[{"id":1}]"#)
      #expect(second.status == 200)
      let version = try #require(second["Collection-Version"])
      let third = try await server.send(
        "PUT", inbox, ["Collection-If-Version": version], #"[{"id":2}]"#)
      #expect(third.status == 200)
      #expect(try await server.send("DELETE", inbox, ["If-Match": tag]).status == 412)
      let none = try await server.send("PUT", inbox + "2", ["If-Match": "*"], "[]")
      #expect(none.status == 412)
      #expect("\(none.json["current"])" == "null")
      #expect(try await server.send("PUT", inbox + "2", ["If-None-Match": "*"], "[]").status == 201)
    }
  }

  @Test func `what a write is answered with is as preferred`() async throws {
    try await TestServer.run { server in
      func put(_ body: String, _ prefer: String) async throws -> ClientResponse {
        try await server.send("PUT", inbox, ["Prefer": prefer], body)
      }
      let minimal = try await put("[]", "return=minimal")
      #expect(minimal.status == 204)
      #expect(minimal["Preference-Applied"] == "return=minimal")
      #expect(minimal["Location"] == inbox)
      let first = try #require(minimal["Collection-Version"])
      let delta = try await put(#"[{"id":1}]"#, "foo, return=delta; x")
      #expect(delta.status == 200)
      #expect(delta["Preference-Applied"] == "return=delta")
      #expect(delta.json["kind"].string == "delta")
      #expect(delta.json["from"].string == first)
      #expect(delta.json["to"].string == delta["Collection-Version"])
      let equal = try await put(#"[{"id":1}]"#, "return=delta")
      #expect(equal.json["kind"].string == "unchanged")
      let content = try await put(#"[{"id":2}]"#, "return=representation")
      #expect(content.json["kind"].string == "snapshot")
      #expect("\(content.json["sections"])" == #"[{"id":"","items":[{"id":2}]}]"#)
      let refused = try await server.send(
        "PUT", inbox, ["Prefer": "return=delta", "Accept": "text/html"], #"[{"id":3}]"#)
      #expect(refused.status == 406)
      #expect(
        try await server.send("GET", inbox)["Collection-Version"] == content["Collection-Version"])
    }
  }

  @Test func `a deleted collection is gone, and begins anew`() async throws {
    try await TestServer.run { server in
      let first = try await server.put("[]")
      let answer = try await server.send("DELETE", inbox)
      #expect(answer.status == 204)
      for path in [inbox, inbox + "/delta?since=\(first)"] {
        let gone = try await server.send("GET", path)
        #expect(gone.status == 404)
        #expect(gone.json["code"].string == "collection-not-found")
      }
      #expect(try await server.send("DELETE", inbox).status == 404)
      let again = try await server.send("PUT", inbox, [:], "[]")
      #expect(again.status == 201)
      #expect(again.json["seq"].int == 1)
      #expect(again.json["version"].string != first)
      let reset = try await server.send("GET", inbox + "/delta?since=\(first)")
      #expect(reset.json["reset"]["reason"].string == "lineage-changed")
    }
  }

  @Test func `the index lists a client's collections page by page`() async throws {
    try await TestServer.run { server in
      let path = "/v1/clients/u42/collections"
      #expect(try await server.send("GET", path).text == #"{"collections":[]}"#)
      for name in ["b", "a", "c"] { _ = try await server.put("[]", to: "\(path)/\(name)") }
      let page = try await server.send("GET", path + "?limit=2")
      #expect(page.json["collections"][0]["name"].string == "a")
      #expect(page.json["collections"][0]["seq"].int == 1)
      #expect(!page.json["collections"][2].exists)
      let next = try #require(page.json["next"].string)
      let rest = try await server.send("GET", path + "?limit=2&cursor=\(next)")
      #expect(rest.json["collections"][0]["name"].string == "c")
      #expect(!rest.json["next"].exists)
      #expect(
        try await server.send("GET", path + "?limit=x").json["code"].string == "bad-parameter")
      #expect(try await server.send("DELETE", "/v1/clients/u42").status == 204)
      #expect(try await server.send("GET", path).text == #"{"collections":[]}"#)
    }
  }

  @Test(arguments: [false, true])
  func `the index of clients lists those that have collections`(onDisk: Bool) async throws {
    let body = { (server: TestServer) async throws in
      #expect(try await server.send("GET", "/v1/clients").text == #"{"clients":[]}"#)
      for path in ["b/collections/x", "a:1/collections/x", "B/collections/x", "b/collections/y"] {
        _ = try await server.put("[]", to: "/v1/clients/" + path)
      }
      #expect(
        try await server.send("GET", "/v1/clients?limit=2").text
          == #"{"clients":[{"client":"B","collections":1},{"client":"a:1","collections":1}],"next":"a:1"}"#
      )
      #expect(
        try await server.send("GET", "/v1/clients?limit=2&cursor=a:1").text
          == #"{"clients":[{"client":"b","collections":2}]}"#)
      for prefix in ["a", "a%3A1"] {
        let answer = try await server.send("GET", "/v1/clients?prefix=\(prefix)")
        #expect(answer.text == #"{"clients":[{"client":"a:1","collections":1}]}"#)
        #expect(answer["Cache-Control"] == "private, no-cache")
      }
      for prefix in ["a/", "%C3%A4", "a:12", "ba", "%00"] {
        let answer = try await server.send("GET", "/v1/clients?prefix=\(prefix)")
        #expect(answer.text == #"{"clients":[]}"#)
      }
      for query in ["limit=0", "limit=x", "cursor=a/b"] {
        let answer = try await server.send("GET", "/v1/clients?" + query)
        #expect(answer.json["code"].string == "bad-parameter")
      }
      #expect(try await server.send("DELETE", "/v1/clients/b").status == 204)
      #expect(try await server.send("DELETE", "/v1/clients/B/collections/x").status == 204)
      #expect(
        try await server.send("GET", "/v1/clients").json["clients"].elements.map {
          $0["client"].string
        } == ["a:1"])
    }
    if onDisk {
      try await TestServer.runOnDisk { try await body($0) }
    } else {
      try await TestServer.run { try await body($0) }
    }
  }

  @Test(arguments: [
    #"[{"id":1},{"id":"b","n":1.0}]"#, "[]", #"{"items":[{"id":1}],"meta":{"a":[1]}}"#,
    #"{"sections":[{"id":"a","title":"A","items":[{"id":1}]},{"id":"b","items":[]}]}"#,
    #"{"settings":{"sectionBy":{"path":"/c","headerFrom":["/t"],"other":"?"}},"items":[{"id":1,"c":"x","t":1},{"id":2},{"id":3,"c":"x"}]}"#,
    #"{"settings":{"sortBy":[{"path":"/n"}],"animations":{"rows":{"insert":"fade"}}},"items":[{"id":1,"n":"b"},{"id":2,"n":"a"}]}"#,
    #"{"settings":{"identity":"occurrence"},"items":[{"id":1},{"id":1},{"id":2}]}"#,
    #"{"settings":{"idPath":"/key","itemsPath":"/rows","sectionsPath":"/data/groups"},"data":{"groups":[{"key":"g","rows":[{"key":1}]}]}}"#,
  ])
  func `what GET gives can be PUT back, and changes nothing`(body: String) async throws {
    try await TestServer.run { server in
      let version = try await server.put(body)
      let shown = try await server.send("GET", inbox)
      let same = try await server.send("PUT", inbox, [:], shown.text)
      #expect(same.status == 200 && same.json["changed"].bool == false, "\(same.text)")
      #expect(same["Collection-Version"] == version)
      let prefer = ["Prefer": "precondition=version"]
      let known = try await server.send("PUT", inbox, prefer, shown.text)
      #expect(known.status == 200 && known.json["changed"].bool == false, "\(known.text)")
      #expect(known["Preference-Applied"] == "precondition=version")
      #expect(try await server.send("DELETE", inbox).status == 204)
      let again = try await server.put(body)
      #expect(again != version)
      let stale = try await server.send("PUT", inbox, prefer, shown.text)
      #expect(stale.status == 412 && stale.json["current"].string == again, "\(stale.text)")
    }
  }

  @Test func `a body that names no version cannot be depended on`() async throws {
    try await TestServer.run { server in
      let prefer = ["Prefer": "precondition=version"]
      #expect(try await server.send("PUT", inbox, prefer, "[]").status == 428)
      let version = try await server.put("[]")
      for (named, status) in [(version, 200), (version.replacing(".1.", with: ".2."), 412)] {
        let body = #"{"items":[],"version":"\#(named)"}"#
        #expect(try await server.send("PUT", inbox, prefer, body).status == status)
      }
      // It is not a whole answer, whose sections may be sent back where a setting makes them.
      let sections = #""version":"x","sections":[{"id":"a","items":[]}]}"#
      let derived = #"{"settings":{"sectionBy":"/c"},"# + sections
      #expect(try await server.send("PUT", inbox, [:], derived).status == 422)
      let odd = #"{"kind":"snapshot","collection":"inbox","version":"x","seq":1,"sections":[]}"#
      let answer = try await server.send("PUT", inbox, prefer, odd)
      #expect(answer.status == 400 && answer.json["code"].string == "bad-token")
      let titled = #"{"sections":[{"id":"","title":"x","items":[]}]}"#
      #expect(try await server.send("PUT", inbox, [:], titled).status == 422)
    }
  }
}
