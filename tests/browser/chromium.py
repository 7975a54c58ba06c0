"""The browser of this machine, and how it has to be started."""

import os
import shutil

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
MISSING = "no Chromium: `apt-get install chromium`, or set CHROMIUM to its path"
# without a sandbox, which needs rights that containers lack, and without calls home
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
