"""Views that are imposed on readers: by the scope of a key, or by a claim of a token (§15)."""
import base64
import hashlib
import hmac
import json
import subprocess
import time
import urllib.parse

from kit.document import Version
from kit.views import View

SECRET = b"0123456789abcdef0123456789abcdef"
WHERE = ["/unread:eq:true", "/unread:ne:false", "/n:ge:1", '/t:in:["a","b","true"]', "/deep:exists", "/v:absent"]
SELECT = [None, "/t,/unread", "/n,/deep/a", "/v,/t,/n"]


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(token):
    """The number of a token's version."""
    return int(token.split(".")[1])


class Imposed:
    """What a reader may see of any version, and its credential."""

    def __init__(self, chance):
        self.where = chance.sample(WHERE, chance.choice([0, 1, 1, 2]))
        self.select = chance.choice(SELECT[0 if self.where else 1:])
        self.view = View([("where", w) for w in self.where] + ([("select", self.select)] if self.select else []) + [("sections", "keep")])
        self.known, self.token, self.tokens = {}, None, {}

    def visible(self, token, version):
        """A version as if it had nothing else than what the reader may see."""
        if token not in self.known:
            sections = [
                {**version.headers[name], "items": [self.view.item(version.items[i]) for i in ids]}
                for name, ids in self.view.rows(version) if ids or not self.where]
            self.known[token] = Version({"sections": sections})  # of what there is beside items only the headers
        return self.known[token]

    def versions(self, versions, listed):
        """Versions by the tokens that the reader is shown for them; those that are not kept any more are left out.

        `listed` gives the versions that it is told of, of which a replica may lack the newest.
        """
        while number(versions[-1][0]) not in self.tokens:
            self.tokens = {number(token): token for token in listed()}
        return [
            (self.tokens[number(token)], self.visible(token, version))
            for token, version in versions if number(token) in self.tokens]

    def scope(self, program, keys, place):
        """Gets a key of which the view is a part of the scope."""
        query = urllib.parse.urlencode([("where", w) for w in self.where] + ([("select", self.select)] if self.select else []))
        self.token = key(program, keys, f"read:{place}?{query}")
        return self

    def claim(self, client):
        """Gets a token of which the view is a claim."""
        view = {**({"where": self.where} if self.where else {}), **({"select": self.select} if self.select else {})}
        claims = {"clients": [client], "exp": int(time.time()) + 7200, "view": view}
        parts = ".".join(encoded(json.dumps(part).encode()) for part in ({"alg": "HS256", "kid": "k"}, claims))
        self.token = f"{parts}.{encoded(hmac.new(SECRET, parts.encode(), hashlib.sha256).digest())}"
        return self


def key(program, keys, scope):
    done = subprocess.run(
        [program, "keys", "new", "--scope", scope, "--keys", keys], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.split()[0]


def key_set(path):
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"keys": [{"kty": "oct", "kid": "k", "alg": "HS256", "k": encoded(SECRET)}]}, file)
