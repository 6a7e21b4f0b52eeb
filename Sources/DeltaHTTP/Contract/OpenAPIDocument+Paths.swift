// The contract is told as it is sent: as JSON (OpenAPI 3.1), piece by piece.

extension OpenAPIDocument {
  /// The resources of clients, and those of nobody.
  static let paths = #"""
     "/v1":{
      "get":{
       "operationId":"capabilities",
       "summary":"What the service does, and its limits",
       "responses":{
        "200":{
         "description":"Capabilities.",
         "content":{
                    "application/json":{"schema":{"$ref":"#/components/schemas/Capabilities"}}}},
        "default":{"$ref":"#/components/responses/Problem"}}}},
     "/v1/diff":{
      "post":{
       "operationId":"diff",
       "summary":"The delta between two snapshots that are not kept",
       "parameters":[{"$ref":"#/components/parameters/Dialect"},{"$ref":"#/components/parameters/Headers"}],
       "requestBody":{
        "required":true,
        "content":{"application/json":{"schema":{"$ref":"#/components/schemas/SnapshotPair"}}}},
       "responses":{
        "200":{
         "description":"The delta; a snapshot in that dialect.",
         "content":{
          "application/json":{"schema":{"$ref":"#/components/schemas/DiffAnswer"}},
          "application/vnd.livedelta.staged+json":{"schema":{"$ref":"#/components/schemas/DiffAnswer"}},
          "application/vnd.livedelta.ops+json":{"schema":{"$ref":"#/components/schemas/DiffAnswer"}},
          "application/vnd.livedelta.splice+json":{"schema":{"$ref":"#/components/schemas/DiffAnswer"}},
          "application/vnd.livedelta.diffable+json":{"schema":{"$ref":"#/components/schemas/DiffAnswer"}},
          "application/json-patch+json":{"schema":{"$ref":"#/components/schemas/JSONPatch"}},
          "application/vnd.livedelta.swift-diff+json":{"schema":{"$ref":"#/components/schemas/DiffAnswer"}},
          "application/vnd.livedelta.snapshot+json":{"schema":{"$ref":"#/components/schemas/DiffAnswer"}}}},
        "default":{"$ref":"#/components/responses/Problem"}}}},
     "/v1/changes":{
      "get":{
       "operationId":"changes",
       "summary":"Which collections change, as server-sent events",
       "parameters":[
        {"$ref":"#/components/parameters/ChangesSince"},
        {"$ref":"#/components/parameters/Ping"},
        {"$ref":"#/components/parameters/ChangesLastEventID"}],
       "responses":{
        "200":{
         "description":"Events: bookmark, change, deleted, reset, ping, end.",
         "content":{"text/event-stream":{"schema":{"type":"string"}}}},
        "default":{"$ref":"#/components/responses/Problem"}}}},
     "/v1/clients/{client}":{
      "parameters":[{"$ref":"#/components/parameters/Client"}],
      "delete":{
       "operationId":"deleteClient",
       "summary":"Forget a client and all it has",
       "responses":{
        "204":{"description":"It has nothing any more."},
        "default":{"$ref":"#/components/responses/Problem"}}}},
     "/v1/clients/{client}/collections":{
      "parameters":[{"$ref":"#/components/parameters/Client"}],
      "get":{
       "operationId":"index",
       "summary":"A client's collections by name",
       "parameters":[{"$ref":"#/components/parameters/Cursor"},{"$ref":"#/components/parameters/Limit"}],
       "responses":{
        "200":{
         "description":"A page.",
         "content":{"application/json":{"schema":{"$ref":"#/components/schemas/Index"}}}},
        "default":{"$ref":"#/components/responses/Problem"}}}},
     "/v1/clients/{client}/batch":{
      "parameters":[{"$ref":"#/components/parameters/Client"}],
      "post":{
       "operationId":"batch",
       "summary":"Several writes, all or nothing",
       "parameters":[{"$ref":"#/components/parameters/IdempotencyKey"}],
       "requestBody":{
        "required":true,
        "content":{"application/json":{"schema":{"$ref":"#/components/schemas/Batch"}}}},
       "responses":{
        "200":{
         "description":"What came of each.",
         "content":{"application/json":{"schema":{"$ref":"#/components/schemas/BatchAnswer"}}}},
        "default":{"$ref":"#/components/responses/Problem"}}}},
     "/v1/clients/{client}/sync":{
      "parameters":[{"$ref":"#/components/parameters/Client"}],
      "post":{
       "operationId":"sync",
       "summary":"What changed in several collections, as of one moment",
       "parameters":[{"$ref":"#/components/parameters/Dialect"},{"$ref":"#/components/parameters/Headers"}],
       "requestBody":{
        "required":true,
        "content":{"application/json":{"schema":{"$ref":"#/components/schemas/Sync"}}}},
       "responses":{
        "200":{
         "description":"What changed.",
         "headers":{"Collection-Wait":{"$ref":"#/components/headers/Collection-Wait"}},
         "content":{
          "application/json":{"schema":{"$ref":"#/components/schemas/SyncAnswer"}},
          "application/vnd.livedelta.staged+json":{"schema":{"$ref":"#/components/schemas/SyncAnswer"}},
          "application/vnd.livedelta.ops+json":{"schema":{"$ref":"#/components/schemas/SyncAnswer"}},
          "application/vnd.livedelta.splice+json":{"schema":{"$ref":"#/components/schemas/SyncAnswer"}},
          "application/vnd.livedelta.diffable+json":{"schema":{"$ref":"#/components/schemas/SyncAnswer"}},
          "application/vnd.livedelta.swift-diff+json":{"schema":{"$ref":"#/components/schemas/SyncAnswer"}},
          "application/vnd.livedelta.snapshot+json":{"schema":{"$ref":"#/components/schemas/SyncAnswer"}}}},
        "default":{"$ref":"#/components/responses/Problem"}}},
      "get":{
       "operationId":"syncStream",
       "summary":"The same as one stream of events",
       "parameters":[
        {"$ref":"#/components/parameters/Collections"},
        {"$ref":"#/components/parameters/Dialect"},{"$ref":"#/components/parameters/Headers"},
        {"$ref":"#/components/parameters/Ping"},{"$ref":"#/components/parameters/CloseAfter"},
        {"$ref":"#/components/parameters/Missing"},
        {"$ref":"#/components/parameters/SyncLastEventID"}],
       "responses":{
        "200":{
         "description":"Events: sync, ping, end.",
         "content":{"text/event-stream":{"schema":{"type":"string"}}}},
        "default":{"$ref":"#/components/responses/Problem"}}}},
     "/openapi.json":{
      "get":{
       "operationId":"contract",
       "summary":"This document",
       "responses":{
        "200":{
         "description":"An OpenAPI 3.1 document.",
         "content":{"application/json":{"schema":{"type":"object"}}}},
        "default":{"$ref":"#/components/responses/Problem"}}}},
     "/ui":{
      "get":{
       "operationId":"inspector",
       "summary":"A page to look at collections with",
       "responses":{
        "200":{"description":"The page.","content":{"text/html":{"schema":{"type":"string"}}}},
        "default":{"$ref":"#/components/responses/Problem"}}}}
    """#
}
