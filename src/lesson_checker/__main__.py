"""``python -m lesson_checker``: the same as the command ``lesson-checker``."""

import sys

from lesson_checker.cli import main

sys.exit(main())
