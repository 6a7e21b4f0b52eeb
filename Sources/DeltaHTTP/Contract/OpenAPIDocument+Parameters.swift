// The contract is told as it is sent: as JSON (OpenAPI 3.1), piece by piece.

extension OpenAPIDocument {
  /// What requests are told beside their bodies.
  static let parameters = #"""
     "Client":{
      "name":"client",
      "in":"path",
      "description":"The owner of the collections.",
      "schema":{
       "type":"string",
       "minLength":1,
       "maxLength":128,
       "pattern":"^[A-Za-z0-9_~:@-][A-Za-z0-9._~:@-]*$"},
      "required":true},
     "Name":{
      "name":"name",
      "in":"path",
      "description":"The collection.",
      "schema":{
       "type":"string",
       "minLength":1,
       "maxLength":128,
       "pattern":"^[A-Za-z0-9_~:@-][A-Za-z0-9._~:@-]*$"},
      "required":true},
     "Since":{
      "name":"since",
      "in":"query",
      "description":"The version that the reader holds; none for the initial load.",
      "schema":{
       "type":"string",
       "maxLength":64,
       "pattern":"^[A-Za-z0-9_-]+\\.[1-9][0-9]*\\.[A-Za-z0-9_-]{16}$"}},
     "Version":{
      "name":"version",
      "in":"query",
      "description":"A kept version, of which the ids are told.",
      "schema":{
       "type":"string",
       "maxLength":64,
       "pattern":"^[A-Za-z0-9_-]+\\.[1-9][0-9]*\\.[A-Za-z0-9_-]{16}$"}},
     "From":{
      "name":"from",
      "in":"query",
      "description":"With to: the version that the delta starts from.",
      "schema":{
       "type":"string",
       "maxLength":64,
       "pattern":"^[A-Za-z0-9_-]+\\.[1-9][0-9]*\\.[A-Za-z0-9_-]{16}$"}},
     "To":{
      "name":"to",
      "in":"query",
      "description":"With from: the version that it ends at.",
      "schema":{
       "type":"string",
       "maxLength":64,
       "pattern":"^[A-Za-z0-9_-]+\\.[1-9][0-9]*\\.[A-Za-z0-9_-]{16}$"}},
     "Wait":{
      "name":"wait",
      "in":"query",
      "description":"Seconds to wait for news; clamped to 0 to 55.",
      "schema":{"type":"integer","minimum":-999999999,"maximum":999999999}},
     "Missing":{
      "name":"missing",
      "in":"query",
      "description":"Wait for a collection that does not exist.",
      "schema":{"const":"wait"}},
     "Dialect":{
      "name":"dialect",
      "in":"query",
      "description":"In which words deltas are told; for clients that cannot set Accept.",
      "schema":{"enum":["staged","ops","splice","diffable","json-patch","swift-diff","snapshot"]}},
     "Headers":{
      "name":"headers",
      "in":"query",
      "description":"1: the dialect ops counts a section's header as a row.",
      "schema":{"enum":["0","1"]}},
     "Ping":{
      "name":"ping",
      "in":"query",
      "description":"Seconds between signs of life of a stream; clamped to 5 to 120, 15 without.",
      "schema":{"type":"integer","minimum":-999999999,"maximum":999999999}},
     "CloseAfter":{
      "name":"closeafter",
      "in":"query",
      "description":"End a stream after one event.",
      "schema":{"const":"event"}},
     "Collections":{
      "name":"collections",
      "in":"query",
      "description":"name:version, or name: for none, joined by commas.",
      "schema":{"type":"string","minLength":1},
      "required":true},
     "Cursor":{
      "name":"cursor",
      "in":"query",
      "description":"What next was in the last page.",
      "schema":{
       "anyOf":[
        {
         "type":"string",
         "minLength":1,
         "maxLength":128,
         "pattern":"^[A-Za-z0-9_~:@-][A-Za-z0-9._~:@-]*$"},
        {"const":""}]}},
     "Limit":{
      "name":"limit",
      "in":"query",
      "description":"The most on a page; 100 without, at most 1000.",
      "schema":{"type":"integer","minimum":1,"maximum":999999999}},
     "LastEventID":{
      "name":"Last-Event-ID",
      "in":"header",
      "description":"Wins over since; what a browser sends when it comes back.",
      "schema":{
       "type":"string",
       "maxLength":64,
       "pattern":"^[A-Za-z0-9_-]+\\.[1-9][0-9]*\\.[A-Za-z0-9_-]{16}$"}},
     "SyncLastEventID":{
      "name":"Last-Event-ID",
      "in":"header",
      "description":"The id of the last event; what a browser sends when it comes back.",
      "schema":{"type":"string"}},
     "ChangesLastEventID":{
      "name":"Last-Event-ID",
      "in":"header",
      "description":"Wins over since.",
      "schema":{"type":"string","pattern":"^[0-9a-z]{8}\\.[0-9]{1,18}$"}},
     "ChangesSince":{
      "name":"since",
      "in":"query",
      "description":"The id of the last event.",
      "schema":{"type":"string","pattern":"^[0-9a-z]{8}\\.[0-9]{1,18}$"}},
     "IfMatch":{
      "name":"If-Match",
      "in":"header",
      "description":"Only if the newest version is this; in quotes.",
      "schema":{"type":"string"}},
     "IfNoneMatch":{
      "name":"If-None-Match",
      "in":"header",
      "description":"* on a write: only create. On a read: 304 if the newest version is this.",
      "schema":{"type":"string"}},
     "CollectionIfVersion":{
      "name":"Collection-If-Version",
      "in":"header",
      "description":"Only if the newest version is this.",
      "schema":{
       "type":"string",
       "maxLength":64,
       "pattern":"^[A-Za-z0-9_-]+\\.[1-9][0-9]*\\.[A-Za-z0-9_-]{16}$"}},
     "IdempotencyKey":{
      "name":"Idempotency-Key",
      "in":"header",
      "description":"The same request again gets the first answer.",
      "schema":{"type":"string","minLength":1,"maxLength":128}},
     "Prefer":{
      "name":"Prefer",
      "in":"header",
      "description":"return=minimal, representation or delta on writes; handling=strict on reads.",
      "schema":{"type":"string"}}
    """#
}
