/// The page behind `/ui`: what a collection holds, and what streams tell of it, in a browser.
///
/// It loads nothing from elsewhere and runs no code but its own, which its policy says too.
enum InspectorPage {
  /// What the page may do (CSP 3).
  static let policy = """
    default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    """

  static let bytes = Array((top + script + "</script>\n").utf8)

  private static let top = #"""
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width,initial-scale=1">
    <title>LiveDelta</title>
    <style>
      :root { color-scheme: light dark; font: 15px/1.4 system-ui, sans-serif }
      body { margin: 1rem auto; max-width: 72rem; padding: 0 1rem }
      form { display: flex; flex-wrap: wrap; gap: .5rem }
      main { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem }
      @media (max-width: 50rem) { main { grid-template-columns: 1fr } }
      h2 { font-size: 1rem } h3 { font-size: .9rem; margin: .6rem 0 .2rem }
      li, pre { font: 12px/1.4 ui-monospace, monospace; overflow-wrap: anywhere }
      pre { white-space: pre-wrap; border-top: 1px solid #8884; margin: 0; padding: .4rem 0 }
      ul { margin: 0; padding-left: 1rem } .new { background: #4a84 }
      #log { max-height: 80vh; overflow: auto }
    </style>
    <h1>LiveDelta</h1>
    <form>
      <label>client <input id="client" value="public"></label>
      <label>collection <input id="name" value="main" list="names"></label>
      <datalist id="names"></datalist>
      <label>dialect <select id="dialect"></select></label>
      <button>follow</button>
      <output id="state" role="status"></output>
    </form>
    <main>
      <section><h2 id="head">nothing yet</h2><div id="list"></div></section>
      <section><h2>events</h2><div id="log"></div></section>
    </main>
    <script>

    """#

  private static let script = #"""
    "use strict";
    const at = id => document.getElementById(id);
    const add = (parent, tag, text) => {
      const element = document.createElement(tag);
      element.textContent = text;
      return parent.appendChild(element);
    };
    let source, known = new Map();
    const path = () => "/v1/clients/" + encodeURIComponent(at("client").value)
      + "/collections/" + encodeURIComponent(at("name").value);

    async function names() {
      const answer = await fetch("/v1/clients/" + encodeURIComponent(at("client").value)
        + "/collections?limit=1000");
      at("names").replaceChildren();
      if (!answer.ok) return;
      for (const each of (await answer.json()).collections) {
        add(at("names"), "option", each.name).value = each.name;
      }
    }

    async function show() {
      const answer = await fetch(path(), { cache: "no-cache" });
      const body = await answer.json();
      at("list").replaceChildren();
      if (!answer.ok) return void (at("head").textContent = body.detail);
      at("head").textContent = body.version;
      const now = new Map();
      for (const section of body.sections) {
        const { items, ...header } = section;
        add(at("list"), "h3", JSON.stringify(header));
        const list = add(at("list"), "ul", "");
        for (const item of items) {
          const text = JSON.stringify(item);
          now.set(String(item.id), text);
          const line = add(list, "li", text);
          if (known.size && known.get(String(item.id)) !== text) line.className = "new";
        }
      }
      known = now;
    }

    function told(event) {
      const line = document.createElement("pre");
      const text = event.data.length > 4000 ? event.data.slice(0, 4000) + "…" : event.data;
      line.textContent = new Date().toLocaleTimeString() + " " + event.type + " " + text;
      at("log").prepend(line);
      while (at("log").childElementCount > 200) at("log").lastChild.remove();
      if (event.type !== "ping" && event.type !== "end") show();
      if (event.type === "end" && !JSON.parse(event.data).reconnect) source.close();
    }

    function follow() {
      if (source) source.close();
      known = new Map();
      at("log").replaceChildren();
      source = new EventSource(path() + "/delta?missing=wait&dialect=" + at("dialect").value);
      for (const type of ["snapshot", "delta", "bookmark", "deleted", "ping", "end"]) {
        source.addEventListener(type, told);
      }
      source.onopen = () => at("state").textContent = "following";
      source.onerror = () => at("state").textContent = "not connected";
    }

    at("client").onchange = names;
    document.forms[0].onsubmit = event => { event.preventDefault(); follow(); };
    fetch("/v1").then(answer => answer.json()).then(body => {
      for (const name of body.dialects) add(at("dialect"), "option", name);
    });
    names();

    """#
}
