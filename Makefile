# The commands of the project; `make` alone lists them.
# Written for GNU make 3.81 (the one on macOS) and newer.

VENV ?= .venv

# Which Pythons to look for, newest first; PYTHON=/path/to/python overrides.
PYTHONS = python3.14 python3.13 python3.12 python3.11 python3
# Without ensurepip there is no pip in the environment (Debian ships it in python3-venv).
SUITABLE = import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))

# PYTHON_FLAGS="-W error" makes every warning an error, as CI does.
RUN = $(strip $(VENV)/bin/python $(PYTHON_FLAGS))
PIP = $(VENV)/bin/python -m pip --disable-pip-version-check --no-input install --quiet

# Material for MkDocs prints a notice about MkDocs 2 at every build. The project pins MkDocs 1.
export NO_MKDOCS_2_WARNING = 1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup site test browser quality serve update pins clean

help:  ## list the commands
	@sed -n 's/^\([a-z]*\):.*  ## \(.*\)/make \1	\2/p' Makefile | expand -t 15

setup: $(VENV)/test.ready  ## only make the environment, with all that the guide's commands need

site: $(VENV)/site.ready  ## check every line of every page, then build the site in both languages
	$(RUN) -m lesson_checker check
	$(RUN) -m mkdocs build
	@echo "The site is in site/. To read it: make serve"

test: $(VENV)/test.ready  ## run everything that needs no browser: style, types, tests, every page
	$(RUN) -m ruff check
	$(RUN) -m ruff format --check src tests
	$(RUN) -m mypy
	$(RUN) -m pytest --numprocesses auto --dist loadscope

browser: $(VENV)/browser.ready  ## look at the built site with a real browser (needs Chromium)
	$(RUN) -m pytest tests/browser --numprocesses auto --dist loadscope

quality: $(VENV)/browser.ready  ## print what Lighthouse says about every page (needs Node.js and Chromium)
	$(RUN) tests/benchmarks/quality.py $(PAGES)

serve: $(VENV)/site.ready  ## show the site while you edit it, problems included
	$(RUN) -m mkdocs serve

update: $(VENV)/site.ready  ## write what the code prints into the pages, where it differs
	$(RUN) -m lesson_checker update

# The environment: the pins of a list in requirements/, then the project itself, editable.
# Two steps, because pip does not take hashes and an editable project in one.
$(VENV)/%.ready: requirements/%.txt pyproject.toml $(VENV)/pyvenv.cfg
	@echo "Installing requirements/$*.txt into $(VENV)"
	@$(PIP) --require-hashes -r $<
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/pyvenv.cfg:
	@for python in $(or $(PYTHON),$(PYTHONS)); do \
		if "$$python" -c '$(SUITABLE)' 2>/dev/null; then \
			echo "Creating $(VENV) with $$("$$python" --version)"; \
			exec "$$python" -m venv $(VENV); \
		fi; \
	done; \
	echo "No Python 3.11 or newer with venv and pip among: $(or $(PYTHON),$(PYTHONS))." >&2; \
	echo "Install one (on Debian and Ubuntu python3-venv too), or name it: make PYTHON=/path/to/python …" >&2; \
	exit 1

# One resolution for every Python and platform, so that all of them verify the same versions.
# The longest list first: the others then take their versions from it.
UV = build/pins/bin/uv pip compile --quiet --no-config $(if $(UPGRADE),--upgrade) \
	--universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
	--annotation-style line --custom-compile-command "make pins" pyproject.toml --group build

pins: $(VENV)/pyvenv.cfg  ## lock the dependencies of pyproject.toml (UPGRADE=1: at their newest)
	@$(VENV)/bin/python -m venv build/pins
	@build/pins/bin/python -m pip --disable-pip-version-check install --quiet uv
	$(UV) --extra browser --output-file requirements/browser.txt >/dev/null
	$(UV) --extra test --constraints requirements/browser.txt --output-file requirements/test.txt >/dev/null
	$(UV) --extra site --constraints requirements/browser.txt --output-file requirements/site.txt >/dev/null

clean:  ## remove what the commands above made, the environment too
	rm -rf .venv build dist site .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
