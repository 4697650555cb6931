"""A whole agent in Python, with the standard library alone: a card, a guard, and an answer.

The guard asks Parley who is calling by plain introspection (RFC 7662) and remembers the answer for half a minute.

    PARLEY_CLIENT_ID=... PARLEY_CLIENT_SECRET=... python3 examples/python/agent.py
"""

import base64
import hashlib
import json
import os
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote_plus, urlencode
from urllib.request import Request, urlopen

PORT = int(os.environ.get("PORT", "4000"))
PARLEY_URL = os.environ.get("PARLEY_URL", "http://localhost:3000")
AGENT = os.environ.get("PARLEY_AGENT", "greeter")
CLIENT_ID = os.environ["PARLEY_CLIENT_ID"]
CLIENT_SECRET = os.environ["PARLEY_CLIENT_SECRET"]

AUDIENCE = f"{PARLEY_URL}/agents/{AGENT}"
METADATA = f"{PARLEY_URL}/.well-known/oauth-protected-resource/agents/{AGENT}"
REMEMBER_SECONDS = 30
MOST_REMEMBERED = 1000
LARGEST_BODY = 1_000_000

CARD = {
    "name": "Greeter",
    "description": "Greets whoever calls.",
    "version": "1.0.0",
    "supportedInterfaces": [
        {"url": f"http://localhost:{PORT}/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
    ],
    "capabilities": {"streaming": False, "pushNotifications": False},
    "securitySchemes": {"parley": {"httpAuthSecurityScheme": {"scheme": "bearer", "bearerFormat": "JWT"}}},
    "securityRequirements": [{"schemes": {"parley": {"list": []}}}],
    "defaultInputModes": ["text/plain"],
    "defaultOutputModes": ["text/plain"],
    "skills": [
        {"id": "greet", "name": "Greet", "description": "Says hello.", "tags": ["hello"], "examples": ["Hi"]}
    ],
}


def introspect(token):
    """The claims of an active token, or None. Raises OSError or ValueError while Parley gives no answer."""
    # RFC 6749, section 2.3.1: both are form-encoded before they are joined.
    credentials = f"{quote_plus(CLIENT_ID)}:{quote_plus(CLIENT_SECRET)}"
    request = Request(
        f"{PARLEY_URL}/api/auth/introspect",
        data=urlencode({"token": token}).encode(),
        headers={"Authorization": "Basic " + base64.b64encode(credentials.encode()).decode()},
    )
    with urlopen(request, timeout=5) as response:
        claims = json.load(response)
    if claims.get("active") is not True:
        return None
    # A token for another agent of the same developer is also active, but not intended for this agent.
    return claims if claims.get("aud") == AUDIENCE else None


remembered = {}


def caller_of(token):
    """As introspect, but asks about each token once in half a minute. A "no" is remembered as well."""
    # By digest, so that the memory of this process holds no usable tokens.
    key = hashlib.sha256(token.encode()).digest()
    until, claims = remembered.get(key, (0, None))
    if until < time.time():
        claims = introspect(token)
        until = time.time() + REMEMBER_SECONDS
        if len(remembered) >= MOST_REMEMBERED:
            remembered.pop(next(iter(remembered)), None)
        remembered[key] = (until, claims)
    return claims if claims and claims["exp"] > time.time() else None


class Agent(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/.well-known/agent-card.json":
            self.answer(200, CARD)
        else:
            self.answer(404, {"error": "not_found"})

    def do_POST(self):
        caller = self.authenticate()
        if caller is None:
            return
        length = int(self.headers.get("Content-Length") or 0)
        if length > LARGEST_BODY:
            self.answer(413, {"error": "too_large"})
            return
        call = json.loads(self.rfile.read(length))
        parts = [{"text": f"Hello, {caller['sub']}"}]
        message = {"messageId": str(uuid.uuid4()), "role": "ROLE_AGENT", "parts": parts}
        self.answer(200, {"jsonrpc": "2.0", "id": call.get("id"), "result": {"message": message}})

    def authenticate(self):
        """The claims of the caller, or None after a refusal was sent."""
        sent = self.headers.get_all("Authorization") or []
        # Parley sends its token here too if Authorization carries a credential of the agent's owner.
        own = self.headers.get("Parley-Token")
        token = own or (sent[0][7:].strip() if len(sent) == 1 and sent[0][:7].lower() == "bearer " else "")
        if not token:
            self.refuse(401, "unauthorized", f'Bearer realm="parley", resource_metadata="{METADATA}"')
            return None
        try:
            caller = caller_of(token)
        except (OSError, ValueError):
            # The token cannot be verified, so every call is rejected.
            self.refuse(503, "temporarily_unavailable", None)
            return None
        if caller is None:
            challenge = f'Bearer realm="parley", error="invalid_token", resource_metadata="{METADATA}"'
            self.refuse(401, "invalid_token", challenge)
        return caller

    def refuse(self, status, error, challenge):
        self.answer(status, {"error": error}, {"WWW-Authenticate": challenge} if challenge else {"Retry-After": "5"})

    def answer(self, status, body, headers=None):
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Agent)
    print(f"listening on http://localhost:{PORT}", flush=True)
    server.serve_forever()
