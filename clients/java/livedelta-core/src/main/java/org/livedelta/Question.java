package org.livedelta;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The request that asks about collections, as a stream or as one answer. */
final class Question {
  final String method;
  final String path;
  final Map<String, String> fields = new LinkedHashMap<>();
  final byte[] body;

  /**
   * Makes a question.
   *
   * @param versions the version that is held of each collection, in order; empty for the whole content
   * @param waitSeconds how long an answer may take; -1 for one at once
   */
  Question(Feed.Builder options, Map<String, String> versions, boolean isStream, int waitSeconds) {
    StringBuilder query = new StringBuilder("?dialect=").append(options.dialect);
    if (options.dialect.equals("ops")) query.append("&headers=1");
    query.append("&items=patch");
    List<String> names = options.names;
    if (isStream) fields.put("Accept", Http.EVENTS);
    if (names.size() == 1) {
      if (waitSeconds > 0 && !isStream) query.append("&missing=wait&wait=").append(waitSeconds);
      query.append("&since=").append(Http.encode(versions.get(names.get(0))));
      method = "GET";
      path = options.path + "/collections/" + Http.encode(names.get(0)) + "/delta" + query;
      body = null;
    } else if (isStream) {
      StringBuilder list = new StringBuilder();
      for (String name : names) {
        list.append(list.length() > 0 ? "," : "").append(name).append(':').append(versions.get(name));
      }
      method = "GET";
      path = options.path + "/sync" + query + "&collections=" + Http.encode(list.toString());
      body = null;
    } else {
      Json.Builder held = Json.object();
      for (String name : names) held.put(name, versions.get(name).isEmpty() ? Json.NULL : Json.of(versions.get(name)));
      Json.Builder question = Json.object().put("collections", held.build());
      if (waitSeconds > 0) question.put("wait", waitSeconds);
      fields.put("Content-Type", Http.JSON);
      method = "POST";
      path = options.path + "/sync" + query;
      body = Http.bytes(question.build());
    }
  }
}
