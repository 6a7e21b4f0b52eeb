"""Vectors that are written by hand: merge patches, errors, event streams."""

LIST = {"sections": [{"id": "s", "items": [{"id": "a"}, {"id": "b"}]}]}
BASE = "/v1/clients/{client}/collections/"
JSON = {"Content-Type": "application/json"}
EDITS = {"Content-Type": "application/vnd.livedelta.edits+json"}


def _patch(why, target, patch, result):
    return {"why": why, "target": target, "patch": patch, "result": result}


# Most are RFC 7396, Appendix A, of objects: items are objects.
PATCHES = [
    _patch("a member is replaced", {"a": "b"}, {"a": "c"}, {"a": "c"}),
    _patch("a member is added", {"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
    _patch("null removes", {"a": "b"}, {"a": None}, {}),
    _patch("null removes one of two", {"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
    _patch("null removes what is not there", {"b": "c"}, {"a": None}, {"b": "c"}),
    _patch("a list is replaced, by a text", {"a": ["b"]}, {"a": "c"}, {"a": "c"}),
    _patch("a text is replaced, by a list", {"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
    _patch("objects are merged within", {"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
    _patch("lists are not merged", {"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
    _patch("a null that is held stays", {"e": None}, {"a": 1}, {"e": None, "a": 1}),
    _patch("nulls in a new object are left out", {}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    _patch("an object in place of a text", {"a": "x"}, {"a": {"b": 1, "c": None}}, {"a": {"b": 1}}),
    _patch("nulls in a list are values", {"a": 1}, {"a": [None, 1]}, {"a": [None, 1]}),
    _patch("an empty patch changes nothing", {"a": 1}, {}, {"a": 1}),
    _patch("an empty object within merges nothing", {"a": {"b": 1}}, {"a": {}}, {"a": {"b": 1}}),
    _patch("`__proto__` is a name like any other", {"id": "x"}, {"__proto__": {"y": 1}}, {"id": "x", "__proto__": {"y": 1}}),
    _patch("the empty name is a name", {"": 1}, {"": 2}, {"": 2}),
    _patch("false is a value", {"a": True}, {"a": False}, {"a": False}),
]


def _error(name, section, why, method, path, status, code, body=None, headers=None):
    found = {"name": name, "section": section, "why": why, "method": method, "path": path, "status": status, "code": code}
    if headers is not None:
        found["headers"] = headers
    return found if body is None else {**found, "body": body}


def _put(name, why, body, status, code, section="§3", headers=JSON):
    return _error(name, section, why, "PUT", BASE + "other", status, code, body, headers)


def _edit(name, why, edits, status=409, code="edit-conflict"):
    return _error(name, "§9", why, "PATCH", BASE + "list", status, code, edits, EDITS)


# What each refusal is. The collection `list` has the section s with the items a and b; a body that is a text is sent as it is.
ERRORS = [
    _put("no JSON", "not JSON: 400", "{", 400, "bad-json"),
    _put("a comma too many", "not JSON: 400", '{"items":[{"id":"a",}]}', 400, "bad-json"),
    _put("text after the value", "not JSON: 400", "[] []", 400, "bad-json"),
    _put("an unknown literal", "not JSON: 400", '[{"id":"a","x":NaN}]', 400, "bad-json"),
    _put("a leading zero", "not JSON: 400", '[{"id":"a","x":01}]', 400, "bad-json"),
    _put("half a surrogate is escaped", "not JSON that is Unicode: 400", '[{"id":"a","x":"\\ud800"}]', 400, "bad-json"),
    _put("a number", "JSON of another shape: 422", "7", 422, "bad-snapshot"),
    _put("null", "JSON of another shape: 422", "null", 422, "bad-snapshot"),
    _put("items that are no list", "JSON of another shape: 422", '{"items":{}}', 422, "bad-snapshot"),
    _put("an item that is no object", "an item is an object", "[1]", 422, "bad-snapshot"),
    _put("an item without an id", "`id` is required", "[{}]", 422, "bad-snapshot"),
    _put("an id that is null", "an id is a text or an integer", '[{"id":null}]', 422, "bad-snapshot"),
    _put("an id with a fraction", "an id is a text or an integer", '[{"id":1.5}]', 422, "bad-snapshot"),
    _put("an empty id", "an id is not empty", '[{"id":""}]', 422, "bad-snapshot"),
    _put("an id of 257 bytes", "an id has at most 256 bytes", '[{"id":"' + "x" * 257 + '"}]', 422, "bad-snapshot"),
    _put("a section without items", "a section is an object with `id` and `items`", '{"sections":[{"id":"s"}]}', 422,
         "bad-snapshot"),
    _put("another member at the top", "other top-level members: 422", '{"items":[],"colour":1}', 422, "bad-snapshot"),
    _put("two items of one id", "item ids are unique in the collection", '[{"id":"a"},{"id":"a"}]', 422, "duplicate-id"),
    _put("7 and \"7\"", "they are the same id", '[{"id":7},{"id":"7"}]', 422, "duplicate-id"),
    _put("one id in two sections", "item ids are unique in the whole collection",
         '{"sections":[{"id":"s","items":[{"id":"a"}]},{"id":"t","items":[{"id":"a"}]}]}', 422, "duplicate-id"),
    _put("two sections of one id", "section ids are unique",
         '{"sections":[{"id":"s","items":[]},{"id":"s","items":[]}]}', 422, "duplicate-id"),
    _put("65 levels", "JSON depth 64", '[{"id":"a","x":' + "[" * 70 + "]" * 70 + "}]", 422, "too-deep", "§12"),
    _put("a type that is no JSON", "anything else: 415", "[]", 415, "unsupported-media-type", "§9",
         {"Content-Type": "text/csv"}),
    _put("a coding that is unknown", "another coding: 415", "[]", 415, "unsupported-media-type", "§11",
         {**JSON, "Content-Encoding": "br"}),
    _put("no gzip although it says so", "the coding is wrong: 400", "[]", 400, "bad-request", "§11",
         {**JSON, "Content-Encoding": "gzip"}),
    _put("a precondition on what is not there", "If-Match needs a version", "[]", 412, "version-conflict", "§9",
         {**JSON, "If-Match": '"aaaaaaaa.1.aaaaaaaaaaaaaaaa"'}),
    _error("create only, and it exists", "§9", "If-None-Match: * is create only", "PUT", BASE + "list", 412,
           "collection-exists", LIST, {**JSON, "If-None-Match": "*"}),
    _error("another version", "§9", "another version than that of now: 412", "PUT", BASE + "list", 412, "version-conflict", LIST,
           {**JSON, "Collection-If-Version": "aaaaaaaa.1.aaaaaaaaaaaaaaaa"}),
    _error("a name of 129 bytes", "§2", "1..128 bytes", "GET", BASE + "x" * 129, 400, "bad-identifier"),
    _error("a name with a space", "§2", "A-Za-z0-9._~:@-", "GET", BASE + "a%20b", 400, "bad-identifier"),
    _error("a name with an encoded slash", "§2", "no encoded slash", "GET", BASE + "a%2Fb", 400, "bad-identifier"),
    _error("the name ..", "§2", "not `.` or `..`", "GET", BASE + "%2E%2E", 400, "bad-identifier"),
    _error("no such collection", "§5", "never existed: 404", "GET", BASE + "nowhere", 404, "collection-not-found"),
    _error("a delta of nothing", "§5", "never existed: 404", "GET", BASE + "nowhere/delta?since=", 404,
           "collection-not-found"),
    _error("no token", "§5", "not parseable: 400", "GET", BASE + "list/delta?since=x%20y", 400, "bad-token"),
    _error("a token of two parts", "§5", "not parseable: 400", "GET", BASE + "list/delta?since=aaaaaaaa.1", 400, "bad-token"),
    _error("a token of 65 bytes", "§4", "at most 64 bytes", "GET", BASE + "list/delta?since=" + "a" * 48 + ".1." + "b" * 16,
           400, "bad-token"),
    _error("a wait that is no number", "§12", "the parameter is told", "GET", BASE + "list/delta?wait=soon", 400,
           "bad-parameter"),
    _error("no such dialect", "§7", "406 lists them", "GET", BASE + "list/delta?dialect=morse", 406, "not-acceptable"),
    _error("no type that can be had", "§7", "406 lists them", "GET", BASE + "list/delta", 406, "not-acceptable", None,
           {"Accept": "image/png"}),
    _error("no such resource", "§12", "not found", "GET", "/v2", 404, "not-found"),
    _error("a method that is not there", "§12", "405 with Allow", "DELETE", "/v1", 405, "method-not-allowed"),
    _edit("an unknown anchor", "409, and nothing is applied",
          {"edits": [{"op": "insert", "section": "s", "after": "x", "items": [{"id": "n"}]}]}),
    _edit("an unknown section", "409", {"edits": [{"op": "append", "section": "x", "items": [{"id": "n"}]}]}),
    _edit("an unknown id", "409", {"edits": [{"op": "delete", "ids": ["x"]}]}),
    _edit("the second edit fails", "none of them is applied",
          {"edits": [{"op": "delete", "ids": ["a"]}, {"op": "delete", "ids": ["a"]}]}),
    _edit("an insertion of what is there", "an id is in the collection once",
          {"edits": [{"op": "append", "section": "s", "items": [{"id": "a"}]}]}),
    _edit("a member that no edit has", "422 with the nearest known name",
          {"edits": [{"op": "delete", "idz": ["a"]}]}, 422, "bad-snapshot"),
    _edit("an operation that there is not", "422 with a pointer", {"edits": [{"op": "explode"}]}, 422, "bad-snapshot"),
    _edit("two positions", "a position is exactly one of five",
          {"edits": [{"op": "move", "ids": ["a"], "section": "s", "first": True, "last": True}]}, 422, "bad-snapshot"),
    _error("a JSON Patch", "§9", "415 with Accept-Patch", "PATCH", BASE + "list", 415, "unsupported-media-type",
           [], {"Content-Type": "application/json-patch+json"}),
    _error("a patch of another type", "§9", "415 with Accept-Patch", "PATCH", BASE + "list", 415,
           "unsupported-media-type", "x", {"Content-Type": "text/plain"}),
    _error("edits of nothing", "§9", "a collection that is not there", "PATCH", BASE + "nowhere", 404,
           "collection-not-found", {"edits": []}, EDITS),
    _error("a revert to what never was", "§5", "no such version", "POST", BASE + "list/revert", 404, "unknown-version",
           {"to": "aaaaaaaa.1.aaaaaaaaaaaaaaaa"}, JSON),
    _error("settings that there are not", "§10", "a member that nothing has is 422", "PATCH", BASE + "list/settings", 422,
           "bad-parameter", {"identitty": "unique"}, JSON),
    _error("a sync without names", "§8", "the body has another shape", "POST", "/v1/clients/{client}/sync", 400,
           "bad-parameter", {"collections": []}, JSON),
    _error("a batch that is no JSON", "§9", "not JSON: 400", "POST", "/v1/clients/{client}/batch", 400, "bad-json", "{", JSON),
    _error("a deletion of nothing", "§9", "404", "DELETE", BASE + "nowhere", 404, "collection-not-found"),
]


def streams():
    """Event streams as bytes, and the events that they are (WHATWG HTML §9.2); each may arrive cut anywhere.

    A row is a stream, its events and, where it sets one, the pause before a reconnection: at most 30,000 ms. What is
    not UTF-8 is given in hexadecimal digits.
    """
    one = 'event: delta\nid: v.2.x\ndata: {"kind":"delta"}\n\n'
    event = {"event": "delta", "id": "v.2.x", "data": '{"kind":"delta"}'}
    bare = {"event": "message", "id": "", "data": "x"}
    long = "ü" * 3000

    def ends(first, second):
        return f"data: x{first}{second}data: y{first}{second}"

    both = [bare, {**bare, "data": "y"}]
    rows = [
        ("one event", "as the service writes it", one, [event]),
        ("two events", "one after the other", one + one, [event, event]),
        ("an event that is cut off", "is dropped: it may be half", one + 'event: delta\ndata: {"ki', [event]),
        ("an event without its empty line", "is dropped", one[:-1], []),
        ("a comment", "means nothing", ": hello\n\n" + one, [event]),
        ("a comment within", "means nothing", one.replace("id:", ": x\nid:"), [event]),
        ("lines that end with CR LF", "are lines", one.replace("\n", "\r\n"), [event]),
        ("lines that end with CR", "are lines", one.replace("\n", "\r"), [event]),
        ("LF, then CR LF", "a blank line may end otherwise than the line before", ends("\n", "\r\n"), both),
        ("CR LF, then LF", "a blank line may end otherwise than the line before", ends("\r\n", "\n"), both),
        ("CR LF, then CR", "a blank line may end otherwise than the line before", ends("\r\n", "\r"), both),
        ("LF, then CR", "a blank line may end otherwise than the line before", ends("\n", "\r"), both),
        ("CR, then CR LF", "a blank line may end otherwise than the line before", ends("\r", "\r\n"), both),
        ("CR, then LF", "is CR LF: the end of one line", "data: x\r\ndata: y\r\n\r\n", [{**bare, "data": "x\ny"}]),
        ("all three ends of lines", "in one event", "id: 1\revent: a\r\ndata: x\ndata: y\r\r", [
            {"event": "a", "id": "1", "data": "x\ny"}]),
        ("a byte order mark", "is skipped at the beginning", "\ufeff" + one, [event]),
        ("a second byte order mark", "is a part of the field", "\ufeff\ufeffdata: x\n\ndata: x\n\n", [bare]),
        ("a byte order mark later", "is content", "data: x\n\n\ufeffdata: y\n\ndata: \ufeff\n\n", [
            bare, {**bare, "data": "\ufeff"}]),
        ("no space after the colon", "the space is optional", one.replace(": ", ":"), [event]),
        ("two spaces after the colon", "one of them is content", "data:  x\n\n", [{**bare, "data": " x"}]),
        ("a tab after the colon", "is content", "data:\tx\n\n", [{**bare, "data": "\tx"}]),
        ("a space before the colon", "is a part of the name", "data : x\n\ndata: x\n\n", [bare]),
        ("a space before the name", "is a part of it", " data: x\n\ndata: x\n\n", [bare]),
        ("a name in capitals", "is another", "DATA: x\n\nData: x\n\ndata: x\n\n", [bare]),
        ("a combining character after the colon", "fields are split between bytes", "data:\u0301x\n\n", [
            {**bare, "data": "\u0301x"}]),
        ("a combining character after the space", "which is no content for all that", "data: \u0301x\n\n", [
            {**bare, "data": "\u0301x"}]),
        ("a combining character after the name", "makes it another name", "data\u0301: y\n\ndata: x\n\n", [bare]),
        ("a combining character before the end of a line", "the line ends", "data: e\u0301\r\n\r\n", [
            {**bare, "data": "e\u0301"}]),
        ("data on two lines", "joined by a line feed", 'data: {"a":\ndata: 1}\n\n', [{**bare, "data": '{"a":\n1}'}]),
        ("empty lines of data", "are lines as well", "data:\ndata\ndata: \n\n", [{**bare, "data": "\n\n"}]),
        ("no data", "no event", "event: ping\n\n" + one, [event]),
        ("a ping", "has data and sets no id", 'event: ping\ndata: {}\n\n', [{"event": "ping", "id": "", "data": "{}"}]),
        ("an empty name", "is that of a message", "event: a\nevent:\ndata: x\n\nevent\ndata: x\n\n", [bare, bare]),
        ("a name without data", "does not stay", "event: a\n\ndata: x\n\n", [bare]),
        ("an id that stays", "an event without an id keeps the last one", one + "data: x\n\n",
         [event, {**bare, "id": "v.2.x"}]),
        ("an id without data", "counts for the events after it", "id: 1\n\ndata: x\n\n", [{**bare, "id": "1"}]),
        ("an empty id", "replaces the last one", "id: 1\ndata: x\n\nid\ndata: x\n\nid: 1\nid:\ndata: x\n\n", [
            {**bare, "id": "1"}, bare, bare]),
        ("an id with NUL", "is none", "id: 1\ndata: x\n\nid: 2\0\ndata: x\n\nid: \0\ndata: x\n\n", [{**bare, "id": "1"}] * 3),
        ("NUL elsewhere", "is content", "event: a\0\ndata: \0x\n\n", [{"event": "a\0", "id": "", "data": "\0x"}]),
        ("retry", "is no event", "retry: 2000\n\n" + one, [event], 2000),
        ("retry without a space", "is one", "retry:2000\n\n", [], 2000),
        ("retry twice", "the last one counts", "retry: 2000\nretry: 3000\n\n", [], 3000),
        ("retry with zeros", "is a number", "retry: 0002000\n\n", [], 2000),
        ("retry of many digits", "is the longest pause", f"retry: {'9' * 400}\n\n", [], 30_000),
        ("retry beyond the longest pause", "is the longest pause", "retry: 30001\n\n", [], 30_000),
        ("retry with letters", "is none", "retry: 2000\nretry: 3e3\nretry: abc\nretry: 3000x\nretry: 0x9\n\n", [], 2000),
        ("retry with a sign", "is none", "retry: 2000\nretry: -5\nretry: +5\n\n", [], 2000),
        ("retry with spaces", "is none", "retry: 2000\nretry:  5\nretry: 5 \nretry: 5 5\n\n", [], 2000),
        ("retry without digits", "is none", "retry: 2000\nretry:\nretry\nretry: \n\n", [], 2000),
        ("retry with digits of another script", "is none", "retry: 2000\nretry: ٣٣\nretry: ３３\n\n", [], 2000),
        ("retry with a fraction", "is none", "retry: 2000\nretry: 1.5\nretry: 1,5\n\n", [], 2000),
        ("retry with a combining character", "is none", "retry: 2000\nretry: 5\u0301\n\n", [], 2000),
        ("a field that nobody knows", "means nothing", "colour: red\n" + one, [event]),
        ("names of members of objects", "mean nothing", "__proto__: a\nconstructor: b\ntoString\ndata: x\n\n", [bare]),
        ("a field without a colon", "has an empty value", "data\n\n", [{**bare, "data": ""}]),
        ("a colon in a value", "only the first one counts", "data: a:b: c\n\n", [{**bare, "data": "a:b: c"}]),
        ("a long line", "with characters of two bytes, each of which may be cut", f"data: {long}\n\n", [{**bare, "data": long}]),
        ("characters of four bytes", "which may be cut in the middle", "data: 😀𝄞\n\n", [{**bare, "data": "😀𝄞"}]),
        ("U+2028 is no end of a line", "only CR and LF are", "data: a\u2028b\n\n", [{**bare, "data": "a\u2028b"}]),
        ("other ends of lines are none", "only CR and LF are", "data: a\vb\fc\x85d\u2029e\x1ef\n\n", [
            {**bare, "data": "a\vb\fc\x85d\u2029e\x1ef"}]),
        ("a byte that no UTF-8 has", "becomes U+FFFD", b"data: a\xffb\n\n" + one.encode(), [
            {**bare, "data": "a\ufffdb"}, event]),
        ("a character that is cut off", "becomes U+FFFD, and takes nothing with it", b"data: \xf0\x9f\x98\n\ndata: x\n\n", [
            {**bare, "data": "\ufffd"}, bare]),
        ("a byte that continues nothing", "becomes U+FFFD", b"data: \x80x\xbf\n\n", [{**bare, "data": "\ufffdx\ufffd"}]),
        ("half a surrogate pair", "becomes U+FFFD, each byte one", b"data: \xed\xa0\x80\n\n", [{**bare, "data": "\ufffd" * 3}]),
        ("a form that is too long", "becomes U+FFFD, each byte one", b"data: \xc0\xaf\xe0\x80\xaf\n\n", [
            {**bare, "data": "\ufffd" * 5}]),
        ("characters that there are not", "become U+FFFD, each byte one",
         b"data: \xf4\x90\x80\x80 \xf5\x80 \xf8\x88\x80\x80\x80\n\n", [{**bare, "data": "\ufffd" * 4 + " \ufffd\ufffd " + "\ufffd" * 5}]),
        ("characters that are cut off by others", "become U+FFFD, together one",
         b"data: \xc3x\xe2\x82x\xf0\x9f\x98x\xe2\x82\xc3\xa9\n\n", [{**bare, "data": "\ufffdx\ufffdx\ufffdx\ufffdé"}]),
        ("an id that is no UTF-8", "becomes U+FFFD", b"id: \xff\ndata: x\n\n", [{**bare, "id": "\ufffd"}]),
        ("a byte order mark of UTF-16", "is no byte order mark", b"\xff\xfedata: x\n\ndata: x\n\n", [bare]),
        ("a byte order mark that is cut off", "is none", b"\xef\xbbdata: x\n\ndata: x\n\n", [bare]),
        ("empty lines alone", "no event", "\n\n\n", []),
        ("nothing", "no event", "", []),
    ]
    return [
        {"name": name, "why": why,
         **({"hex": stream.hex()} if isinstance(stream, bytes) else {"stream": stream}),
         "events": events, **({"retry": retry[0]} if retry else {})}
        for name, why, stream, events, *retry in rows]
