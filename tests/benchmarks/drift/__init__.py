"""The benchmark that plants faults.

Each module needs only those named before it: ``planting`` says what a page, its twin and a kind
are, ``places`` finds what a kind can change, ``kinds`` are all that is planted, ``measurement``
plants them and asks the check, ``table`` tells what came of it, and ``__main__`` is the command.
"""
