# Two commands do it all from a bare clone: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test check lint bench torture clean

# The program alone.
$(VENV)/.program: requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps -e .
	touch $@

# The program and what develops it.
$(VENV)/.dev: $(VENV)/.program requirements-dev.lock
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements-dev.lock
	touch $@

run: $(VENV)/.program
	$(BIN)/mushcombat serve

test: $(VENV)/.dev
	$(BIN)/python -m pytest -q -n 2

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Linters, then the tests with coverage: domain/ and systems/ at 100 % of branches, less what
# honest dice leave out in one run (fights are also tested with dice that nobody chose).
check: lint
	rm -f .coverage .coverage.*
	$(BIN)/coverage run -m pytest -q tests/unit
	$(BIN)/coverage combine -q
	$(BIN)/coverage report --include='mushcombat/domain/*,mushcombat/systems/*' --fail-under=99

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

# Kills the server after every single step of a fight, and goes on.
torture: $(VENV)/.dev
	$(BIN)/python -m tests.e2e.torture

clean:
	rm -rf $(VENV) dist build .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache
