"""The backend: the server calls it for logins, and to read and write tasks. Keep them wherever you like."""
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["BACKEND_SECRET"].encode()
users = {login: {} for login in ("ada", "grace", "linus")}
users["ada"]["1"] = {"title": "Open the second device", "done": False}


def is_signed(header, body):
    found = re.fullmatch(r"t=(\d+),v1=([0-9a-f]{64})", header or "")
    if not found or abs(time.time() - int(found[1])) > 300:
        return False
    expected = hmac.digest(SECRET, found[1].encode() + b"." + body, "sha256").hex()
    return hmac.compare_digest(expected, found[2])


def answer(call):
    operation = call["operation"]
    if operation == "authenticate":
        return (200 if call["login"] in users and call["password"] == call["login"] else 401), {}
    tasks, values = users.setdefault(call["user"], {}), call.get("attributes", {})
    if operation == "query":
        return 200, tasks
    if len(values.get("title") or "") > 60:
        return 422, {"message": "A title has at most 60 letters."}
    if operation == "create":
        tasks[call["idempotency_key"]] = values
        return 200, {"id": call["idempotency_key"]}
    if operation == "update":
        tasks[call["id"]] = {**tasks.get(call["id"], {}), **values}
    elif operation == "delete":
        tasks.pop(call["id"], None)
    else:
        return 404, {}
    return 200, {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        signed = is_signed(self.headers.get("X-Sync-SIGNATURE"), body)
        status, result = answer(json.loads(body)) if signed else (401, {})
        text = json.dumps(result).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *words):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("BACKEND_PORT", "9000"))), Handler).serve_forever()
