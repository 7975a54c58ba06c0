"""A web server for a built site that behaves like the host of the real one."""

import gzip
import mimetypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

TYPES = {".ipynb": "application/x-ipynb+json", ".js": "text/javascript", ".whl": "application/zip"}
_COMPRESSED = ("text/", "image/svg+xml", "application/json", "application/xml")


@contextmanager
def serve(site: Path) -> Iterator[str]:
    """Serve the files of a folder, text compressed and the error page included.

    The folder may be filled later. Yields the address of the site.
    """

    class Handler(SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # one connection carries many files
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            name = unquote(urlsplit(self.path).path).lstrip("/")
            file = site / name
            if file.is_dir() and (name.endswith("/") or not name):
                file /= "index.html"
            elif file.is_dir():
                self.send_response(301)
                self.send_header("Location", f"/{name}/")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            found = file.is_file() and ".." not in file.parts
            self.send(200 if found else 404, file if found else site / "404.html")

        do_HEAD = do_GET  # noqa: N815

        def send(self, status: int, file: Path) -> None:
            kind = TYPES.get(file.suffix) or mimetypes.guess_type(file)[0] or "text/plain"
            small = kind.startswith(_COMPRESSED) and "gzip" in self.headers.get(
                "Accept-Encoding", ""
            )
            content = _content(file, compressed=small)
            self.send_response(status)
            self.send_header("Content-Type", f"{kind}; charset=utf-8" if small else kind)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Cache-Control", "max-age=600")
            if small:
                self.send_header("Content-Encoding", "gzip")
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@lru_cache(maxsize=512)
def _content(file: Path, *, compressed: bool) -> bytes:
    content = file.read_bytes()
    return gzip.compress(content, mtime=0) if compressed else content
