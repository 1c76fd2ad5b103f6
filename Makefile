# Two commands do it all from a bare clone: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Let Python keep what it has compiled: the tests start the program hundreds of times.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: run test unit check lint bench bench-long torture fuzz clean

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

# Every test: those of units with their coverage, then those of storage and of the whole program.
test: unit
	$(BIN)/python -m pytest -q -n 2 --ignore=tests/unit

# domain/ and systems/ at 100 % of branches, whatever is rolled: here all dice are chosen.
unit: $(VENV)/.dev
	rm -f .coverage .coverage.*
	$(BIN)/coverage run -m pytest -q -n 2 tests/unit
	$(BIN)/coverage combine -q
	$(BIN)/coverage report --skip-covered --fail-under=100

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# What to run before each commit; the rest of the tests takes longer.
check: lint unit

# Rates, latencies and memory as a table; CONTRIBUTING.md says what its rows mean.
# A part alone: python -m benchmarks scenes.
bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.wire

# A scene of a million lines against one of a hundred.
bench-long: $(VENV)/.dev
	$(BIN)/python -m benchmarks.million

# Kills the server 200 times on each database, at random bytes, while ten people play a scene, then
# one of three servers on one PostgreSQL 200 times, while the others play on.
# More in TORTURE: --kills 20, --on sqlite|postgresql|three, --seed 4711 (as a failure says it), --steps.
torture: $(VENV)/.dev
	$(BIN)/python -m tests.e2e.torture $(TORTURE)

# Ten minutes of random and mutated bytes on every port; a short run of it is among the tests.
fuzz: $(VENV)/.dev
	$(BIN)/python -m tests.e2e.fuzz

clean:
	rm -rf $(VENV) dist build .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache
