# Varnish 7.1 or later as a shared cache of public collections. See README.md.
vcl 4.1;

import std;

backend livedelta {
  .host = "127.0.0.1";
  .port = "8080";
  .connect_timeout = 2s;
  # More than limits.waitSecondsMax, 55, and than the time between two pings of a stream, at most 120.
  .first_byte_timeout = 150s;
  .between_bytes_timeout = 150s;
}

sub vcl_recv {
  if (req.restarts == 0) {
    unset req.http.LiveDelta-Round;
  }
  # Writes, streams, credentials, readers who want the service itself, and all that is not a public collection, here
  # those of the client `public`: the cache has no part in them.
  if (req.method != "GET" && req.method != "HEAD") {
    return (pass);
  }
  if (req.http.Authorization || req.http.Accept ~ "text/event-stream" || req.url ~ "[?&]maxage="
      || req.url !~ "^/v1/clients/public/collections/[^/?]+(/delta)?(\?|$)") {
    return (pass);
  }
  # One spelling of an address is one entry, and so is one spelling of what `Vary` names: with a `Vary` that splits the
  # entry, waiters are let in one after the other. Accept-Encoding is Varnish's own: it asks for gzip, once.
  if (req.url ~ "/delta\?(.*&)?since=") {
    # Who asks what is new waits 6 s for it, together with all who do: polls, too, which would each reach the service.
    if (req.url !~ "[?&]wait=") {
      set req.url = req.url + "&wait=6";
    }
    set req.url = regsub(req.url, "([?&])wait=[0-9]*(&|$)", "\1wait=6\2");
  }
  if (req.url !~ "[?&]order=.*[?&]order=") {
    # The terms of an order stand in theirs.
    set req.url = std.querysort(req.url);
  }
  if (req.http.Accept !~ "^application/(vnd\.livedelta\.[a-z-]+|json-patch)\+json$") {
    set req.http.Accept = "application/json";
  }
  unset req.http.Prefer;
  unset req.http.Cookie;
  return (hash);
}

sub vcl_hash {
  if (req.http.LiveDelta-Round) {
    hash_data(req.http.LiveDelta-Round);
  }
}

sub vcl_hit {
  # Whoever came after such an answer waits for the next one, together with the others who did.
  if (obj.http.LiveDelta-Round && req.time > obj.time && req.restarts < 3) {
    set req.http.LiveDelta-Round = obj.http.LiveDelta-Round;
    return (restart);
  }
}

sub vcl_backend_fetch {
  unset bereq.http.LiveDelta-Round;
}

sub vcl_backend_response {
  if (bereq.uncacheable) {
    return (deliver);
  }
  set beresp.keep = 0s;
  if (beresp.http.Cache-Control ~ "public") {
    # Its ages are the service's, stale-while-revalidate too, which Varnish calls grace.
    return (deliver);
  }
  # What is not to be kept (nothing new, resets, refusals) is told to all who waited for it, and to nobody who asks
  # later. Varnish's own rule, "hit for miss" for two minutes, would let everybody through to the service for as long;
  # without either they would be let through one after the other.
  set beresp.http.LiveDelta-Round = beresp.http.Request-Id;
  set beresp.ttl = 2s;
  set beresp.grace = 0s;
  return (deliver);
}

sub vcl_deliver {
  unset resp.http.LiveDelta-Round;
  if (obj.hits > 0) {
    set resp.http.X-Cache = "HIT";
  } else {
    set resp.http.X-Cache = "MISS";
  }
}
