"""A server in another language. Start it with `nodecluster start greets.py --name greets`."""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Greeting(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"Hello from process {os.getpid()}\n".encode())


port = int(os.environ.get("PORT", "3001"))
print(f"greeting on port {port}", flush=True)
ThreadingHTTPServer(("127.0.0.1", port), Greeting).serve_forever()
