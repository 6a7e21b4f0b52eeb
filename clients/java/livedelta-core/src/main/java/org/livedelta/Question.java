package org.livedelta;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The request that asks about collections, as a stream or as one answer. */
final class Question {
  final String method;
  final String path;
  final Map<String, String> fields = new LinkedHashMap<>();
  final byte @Nullable [] body;
  /** The windows that are asked for, by collection. */
  final Map<String, String> windows = new HashMap<>();
  /** Whether the next answer moves a window. */
  boolean isMove;

  /**
   * Makes a question.
   *
   * @param isStream whether a stream is asked for
   * @param waitSeconds how long an answer may take; -1 for one at once
   */
  Question(Feed.Builder options, ReplicaSet replicas, boolean isStream, int waitSeconds) {
    // The version that is held of each collection, in order; empty for the whole content.
    Map<String, String> versions = replicas.versions();
    Map<String, Map<String, List<String>>> views = new HashMap<>();
    for (String name : versions.keySet()) views.put(name, replicas.view(name, windows));
    for (Map<String, List<String>> view : views.values()) isMove |= view.containsKey("was");
    StringBuilder query = new StringBuilder("?dialect=").append(options.dialect);
    if (options.dialect.equals("ops")) query.append("&headers=1");
    query.append("&items=patch");
    List<String> names = options.names;
    if (isStream) fields.put("Accept", Http.EVENTS);
    if (names.size() == 1) {
      if (waitSeconds > 0 && !isStream) query.append("&missing=wait&wait=").append(waitSeconds);
      query.append("&since=").append(Http.encode(versions.get(names.get(0))));
      for (Map.Entry<String, List<String>> term : views.get(names.get(0)).entrySet()) {
        for (String value : term.getValue()) query.append('&').append(term.getKey()).append('=').append(Http.encode(value));
      }
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
      for (String name : names) {
        Json since = versions.get(name).isEmpty() ? Json.NULL : Json.of(versions.get(name));
        held.put(name, views.get(name).isEmpty() ? since : entry(since, views.get(name)));
      }
      Json.Builder question = Json.object().put("collections", held.build());
      if (waitSeconds > 0) question.put("wait", waitSeconds);
      fields.put("Content-Type", Http.JSON);
      method = "POST";
      path = options.path + "/sync" + query;
      body = Http.bytes(question.build());
    }
  }

  private static Json entry(Json since, Map<String, List<String>> terms) {
    Json.Builder view = Json.object();
    for (Map.Entry<String, List<String>> term : terms.entrySet()) {
      Json[] values = term.getValue().stream().map(Json::of).toArray(Json[]::new);
      boolean isList = term.getKey().equals("where") || term.getKey().equals("order");
      view.put(term.getKey(), isList ? Json.array(values) : values[0]);
    }
    return Json.object().put("since", since).put("view", view.build()).build();
  }
}
