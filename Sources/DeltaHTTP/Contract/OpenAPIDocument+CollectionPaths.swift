// The contract is told as it is sent: as JSON (OpenAPI 3.1), piece by piece.

extension OpenAPIDocument {
  /// The resources of a collection.
  static let collectionPaths = #"""
     "/v1/clients/{client}/collections/{name}":{
      "parameters":[{"$ref":"#/components/parameters/Client"},{"$ref":"#/components/parameters/Name"}],
      "get":{
       "operationId":"snapshot",
       "summary":"The newest version, or the ids of a kept one",
       "parameters":[
        {"$ref":"#/components/parameters/Version"},{"$ref":"#/components/parameters/Dialect"},
        {"$ref":"#/components/parameters/Headers"},
        {"$ref":"#/components/parameters/IfNoneMatch"}],
       "responses":{
        "200":{
         "description":"The snapshot; with version the structure.",
         "headers":{
          "ETag":{"$ref":"#/components/headers/ETag"},
          "Collection-Version":{"$ref":"#/components/headers/Collection-Version"}},
         "content":{
          "application/json":{
           "schema":{
            "anyOf":[
             {"$ref":"#/components/schemas/SnapshotAnswer"},
             {"$ref":"#/components/schemas/Structure"}]}},
          "application/vnd.livedelta.staged+json":{"schema":{"$ref":"#/components/schemas/SnapshotAnswer"}},
          "application/vnd.livedelta.ops+json":{"schema":{"$ref":"#/components/schemas/SnapshotAnswer"}},
          "application/vnd.livedelta.splice+json":{"schema":{"$ref":"#/components/schemas/SnapshotAnswer"}},
          "application/vnd.livedelta.diffable+json":{"schema":{"$ref":"#/components/schemas/SnapshotAnswer"}},
          "application/vnd.livedelta.swift-diff+json":{"schema":{"$ref":"#/components/schemas/SnapshotAnswer"}},
          "application/vnd.livedelta.snapshot+json":{"schema":{"$ref":"#/components/schemas/SnapshotAnswer"}},
          "application/json-patch+json":{"schema":{"$ref":"#/components/schemas/SnapshotAnswer"}}}},
        "304":{
         "description":"The version that If-None-Match names is the newest.",
         "headers":{
          "ETag":{"$ref":"#/components/headers/ETag"},
          "Collection-Version":{"$ref":"#/components/headers/Collection-Version"}}},
        "default":{"$ref":"#/components/responses/Problem"}}},
      "put":{
       "operationId":"put",
       "summary":"Store a snapshot",
       "parameters":[
        {"$ref":"#/components/parameters/IfMatch"},
        {"$ref":"#/components/parameters/IfNoneMatch"},
        {"$ref":"#/components/parameters/CollectionIfVersion"},
        {"$ref":"#/components/parameters/IdempotencyKey"},
        {"$ref":"#/components/parameters/Prefer"},{"$ref":"#/components/parameters/Dialect"},
        {"$ref":"#/components/parameters/Headers"}],
       "requestBody":{
        "required":true,
        "content":{"application/json":{"schema":{"$ref":"#/components/schemas/Snapshot"}}}},
       "responses":{
        "201":{
         "description":"The collection is new.",
         "headers":{
          "Location":{"$ref":"#/components/headers/Location"},
          "Collection-Version":{"$ref":"#/components/headers/Collection-Version"},
          "Preference-Applied":{"$ref":"#/components/headers/Preference-Applied"}},
         "content":{
          "application/json":{
           "schema":{
            "anyOf":[
             {"$ref":"#/components/schemas/Receipt"},
             {"$ref":"#/components/schemas/ReadAnswer"}]}},
          "application/vnd.livedelta.staged+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.ops+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.splice+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.diffable+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/json-patch+json":{"schema":{"$ref":"#/components/schemas/JSONPatch"}},
          "application/vnd.livedelta.swift-diff+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.snapshot+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}}}},
        "200":{
         "description":"The collection was there.",
         "headers":{
          "Collection-Version":{"$ref":"#/components/headers/Collection-Version"},
          "Preference-Applied":{"$ref":"#/components/headers/Preference-Applied"}},
         "content":{
          "application/json":{
           "schema":{
            "anyOf":[
             {"$ref":"#/components/schemas/Receipt"},
             {"$ref":"#/components/schemas/ReadAnswer"}]}},
          "application/vnd.livedelta.staged+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.ops+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.splice+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.diffable+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/json-patch+json":{"schema":{"$ref":"#/components/schemas/JSONPatch"}},
          "application/vnd.livedelta.swift-diff+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.snapshot+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}}}},
        "204":{
         "description":"The same, as Prefer: return=minimal asks.",
         "headers":{
          "Collection-Version":{"$ref":"#/components/headers/Collection-Version"},
          "Preference-Applied":{"$ref":"#/components/headers/Preference-Applied"}}},
        "default":{"$ref":"#/components/responses/Problem"}}},
      "post":{
       "operationId":"post",
       "summary":"Store a snapshot; for those that can only POST",
       "parameters":[
        {"$ref":"#/components/parameters/IfMatch"},
        {"$ref":"#/components/parameters/IfNoneMatch"},
        {"$ref":"#/components/parameters/CollectionIfVersion"},
        {"$ref":"#/components/parameters/IdempotencyKey"},
        {"$ref":"#/components/parameters/Prefer"},{"$ref":"#/components/parameters/Dialect"},
        {"$ref":"#/components/parameters/Headers"}],
       "requestBody":{
        "required":true,
        "content":{"application/json":{"schema":{"$ref":"#/components/schemas/Snapshot"}}}},
       "responses":{
        "201":{
         "description":"The collection is new.",
         "headers":{
          "Location":{"$ref":"#/components/headers/Location"},
          "Collection-Version":{"$ref":"#/components/headers/Collection-Version"},
          "Preference-Applied":{"$ref":"#/components/headers/Preference-Applied"}},
         "content":{
          "application/json":{
           "schema":{
            "anyOf":[
             {"$ref":"#/components/schemas/Receipt"},
             {"$ref":"#/components/schemas/ReadAnswer"}]}},
          "application/vnd.livedelta.staged+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.ops+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.splice+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.diffable+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/json-patch+json":{"schema":{"$ref":"#/components/schemas/JSONPatch"}},
          "application/vnd.livedelta.swift-diff+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.snapshot+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}}}},
        "200":{
         "description":"The collection was there.",
         "headers":{
          "Collection-Version":{"$ref":"#/components/headers/Collection-Version"},
          "Preference-Applied":{"$ref":"#/components/headers/Preference-Applied"}},
         "content":{
          "application/json":{
           "schema":{
            "anyOf":[
             {"$ref":"#/components/schemas/Receipt"},
             {"$ref":"#/components/schemas/ReadAnswer"}]}},
          "application/vnd.livedelta.staged+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.ops+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.splice+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.diffable+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/json-patch+json":{"schema":{"$ref":"#/components/schemas/JSONPatch"}},
          "application/vnd.livedelta.swift-diff+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.snapshot+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}}}},
        "204":{
         "description":"The same, as Prefer: return=minimal asks.",
         "headers":{
          "Collection-Version":{"$ref":"#/components/headers/Collection-Version"},
          "Preference-Applied":{"$ref":"#/components/headers/Preference-Applied"}}},
        "default":{"$ref":"#/components/responses/Problem"}}},
      "patch":{
       "operationId":"patch",
       "summary":"Edit the collection, by ids or by a JSON Patch",
       "parameters":[
        {"$ref":"#/components/parameters/IfMatch"},
        {"$ref":"#/components/parameters/IfNoneMatch"},
        {"$ref":"#/components/parameters/CollectionIfVersion"},
        {"$ref":"#/components/parameters/IdempotencyKey"},
        {"$ref":"#/components/parameters/Prefer"},{"$ref":"#/components/parameters/Dialect"},
        {"$ref":"#/components/parameters/Headers"}],
       "requestBody":{
        "required":true,
        "content":{
         "application/vnd.livedelta.edits+json":{"schema":{"$ref":"#/components/schemas/Edits"}},
         "application/json-patch+json":{"schema":{"$ref":"#/components/schemas/JSONPatch"}}}},
       "responses":{
        "200":{
         "description":"The collection was there.",
         "headers":{
          "Collection-Version":{"$ref":"#/components/headers/Collection-Version"},
          "Preference-Applied":{"$ref":"#/components/headers/Preference-Applied"}},
         "content":{
          "application/json":{
           "schema":{
            "anyOf":[
             {"$ref":"#/components/schemas/Receipt"},
             {"$ref":"#/components/schemas/ReadAnswer"}]}},
          "application/vnd.livedelta.staged+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.ops+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.splice+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.diffable+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/json-patch+json":{"schema":{"$ref":"#/components/schemas/JSONPatch"}},
          "application/vnd.livedelta.swift-diff+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.snapshot+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}}}},
        "204":{
         "description":"The same, as Prefer: return=minimal asks.",
         "headers":{
          "Collection-Version":{"$ref":"#/components/headers/Collection-Version"},
          "Preference-Applied":{"$ref":"#/components/headers/Preference-Applied"}}},
        "default":{"$ref":"#/components/responses/Problem"}}},
      "delete":{
       "operationId":"delete",
       "summary":"Forget the collection",
       "parameters":[
        {"$ref":"#/components/parameters/IfMatch"},
        {"$ref":"#/components/parameters/IfNoneMatch"},
        {"$ref":"#/components/parameters/CollectionIfVersion"},
        {"$ref":"#/components/parameters/IdempotencyKey"}],
       "responses":{
        "204":{
         "description":"It is gone; a later PUT starts a new lineage.",
         "headers":{"Collection-Version":{"$ref":"#/components/headers/Collection-Version"}}},
        "default":{"$ref":"#/components/responses/Problem"}}}},
     "/v1/clients/{client}/collections/{name}/delta":{
      "parameters":[{"$ref":"#/components/parameters/Client"},{"$ref":"#/components/parameters/Name"}],
      "get":{
       "operationId":"delta",
       "summary":"What changed since a version, now, later or as events",
       "parameters":[
        {"$ref":"#/components/parameters/Since"},{"$ref":"#/components/parameters/Wait"},
        {"$ref":"#/components/parameters/Missing"},{"$ref":"#/components/parameters/From"},
        {"$ref":"#/components/parameters/To"},{"$ref":"#/components/parameters/Dialect"},
        {"$ref":"#/components/parameters/Headers"},{"$ref":"#/components/parameters/Prefer"},
        {"$ref":"#/components/parameters/Ping"},{"$ref":"#/components/parameters/CloseAfter"},
        {"$ref":"#/components/parameters/LastEventID"}],
       "responses":{
        "200":{
         "description":"What changed. Events: delta, snapshot, deleted, bookmark, ping, end.",
         "headers":{
          "Collection-Version":{"$ref":"#/components/headers/Collection-Version"},
          "Collection-Wait":{"$ref":"#/components/headers/Collection-Wait"}},
         "content":{
          "application/json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.staged+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.ops+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.splice+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.diffable+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/json-patch+json":{"schema":{"$ref":"#/components/schemas/JSONPatch"}},
          "application/vnd.livedelta.swift-diff+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "application/vnd.livedelta.snapshot+json":{"schema":{"$ref":"#/components/schemas/ReadAnswer"}},
          "text/event-stream":{"schema":{"type":"string"}}}},
        "default":{"$ref":"#/components/responses/Problem"}}}},
     "/v1/clients/{client}/collections/{name}/versions":{
      "parameters":[{"$ref":"#/components/parameters/Client"},{"$ref":"#/components/parameters/Name"}],
      "get":{
       "operationId":"versions",
       "summary":"The versions that are kept, the newest first",
       "responses":{
        "200":{
         "description":"The versions.",
         "headers":{"Collection-Version":{"$ref":"#/components/headers/Collection-Version"}},
         "content":{"application/json":{"schema":{"$ref":"#/components/schemas/Versions"}}}},
        "default":{"$ref":"#/components/responses/Problem"}}}},
     "/v1/clients/{client}/collections/{name}/settings":{
      "parameters":[{"$ref":"#/components/parameters/Client"},{"$ref":"#/components/parameters/Name"}],
      "get":{
       "operationId":"settings",
       "summary":"How the collection is read and shown",
       "responses":{
        "200":{
         "description":"All settings, defaults too.",
         "headers":{"Collection-Version":{"$ref":"#/components/headers/Collection-Version"}},
         "content":{"application/json":{"schema":{"$ref":"#/components/schemas/Settings"}}}},
        "default":{"$ref":"#/components/responses/Problem"}}},
      "put":{
       "operationId":"putSettings",
       "summary":"Replace the settings",
       "parameters":[
        {"$ref":"#/components/parameters/IfMatch"},
        {"$ref":"#/components/parameters/IfNoneMatch"},
        {"$ref":"#/components/parameters/CollectionIfVersion"}],
       "requestBody":{
        "required":true,
        "content":{"application/json":{"schema":{"$ref":"#/components/schemas/Settings"}}}},
       "responses":{
        "200":{
         "description":"All settings, defaults too.",
         "headers":{"Collection-Version":{"$ref":"#/components/headers/Collection-Version"}},
         "content":{"application/json":{"schema":{"$ref":"#/components/schemas/Settings"}}}},
        "default":{"$ref":"#/components/responses/Problem"}}},
      "patch":{
       "operationId":"patchSettings",
       "summary":"Merge into the settings (RFC 7396)",
       "parameters":[
        {"$ref":"#/components/parameters/IfMatch"},
        {"$ref":"#/components/parameters/IfNoneMatch"},
        {"$ref":"#/components/parameters/CollectionIfVersion"}],
       "requestBody":{
        "required":true,
        "content":{
         "application/merge-patch+json":{"schema":{"$ref":"#/components/schemas/Settings"}},
         "application/json":{"schema":{"$ref":"#/components/schemas/Settings"}}}},
       "responses":{
        "200":{
         "description":"All settings, defaults too.",
         "headers":{"Collection-Version":{"$ref":"#/components/headers/Collection-Version"}},
         "content":{"application/json":{"schema":{"$ref":"#/components/schemas/Settings"}}}},
        "default":{"$ref":"#/components/responses/Problem"}}}}
    """#
}
