"""Credentials of checks: tokens that the kit signs, and the marks of restrictions."""

import base64
import hashlib
import hmac
import json
import time

from .asking import Service


def caller(place, token):
    """The same service, asked with another credential, or with none."""
    return Service(place.service.url.geturl(), token)


def token(place, alg="HS256", kid=None, **claims):
    """A JSON Web Token of the service's issuer, signed by the kit; a claim of None is left out."""
    name, secret = place.service.signing
    whole = {"iss": place.service.issuer, "sub": place.name, "exp": int(time.time()) + 300, **claims}
    parts = [{"alg": alg, "typ": "JWT", "kid": kid or name}, {k: v for k, v in whole.items() if v is not None}]
    signed = b".".join(encoded(json.dumps(part).encode()) for part in parts)
    return (signed + b"." + encoded(hmac.new(secret, signed, hashlib.sha256).digest())).decode()


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def marked(token):
    """The mark that says under which restriction a token was given; None without one."""
    parts = token.split(".")
    return parts[3] if len(parts) == 4 and len(parts[3]) == 9 and parts[3][0] == "v" and len(token) <= 74 else None
