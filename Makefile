# make demo    set everything up and run the main job
# make test    set everything up and run the tests
# make test-slow    the slow tests, and all random cases of the others
# make test-plain   the tests of numbers with code for the plainest x86-64, without fused multiplication and addition
# make check   linters and types
# make kernels the stored LLVM text of kernels whose source has changed
# make bench   benchmarks: ratios measured in one run; make bench-short takes a minute and needs no peers

# The first Python on this machine that is new enough; `make PYTHON=... demo` chooses another.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --only-binary :all:
RUNTIME := $(VENV)/.installed
DEV := $(VENV)/.installed-dev
PEERS := $(VENV)/.installed-peers

.PHONY: demo kernels test test-slow test-plain check format bench bench-short schema tolerances clean

demo: $(RUNTIME)
	@$(BIN)/lienket demo

# One thread of OpenBLAS for each worker: more threads than cores wait for each other, up to 20 times as long.
PYTEST := OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n auto

test: $(DEV)
	$(PYTEST) -m "not slow"

test-slow: $(DEV)
	LIENKET_CASES=1 $(PYTEST) -m "slow or cases"

# What depends on floating point, and of the slow tests those of long chains through singular positions.
PLAIN := LIENKET_CPU=x86-64 OPENBLAS_CORETYPE=Nehalem $(PYTEST)
NUMERIC := tests/kernels tests/simulation tests/results tests/analysis tests/compiled

test-plain: $(DEV)
	$(PLAIN) -m "not slow" $(NUMERIC)
	$(PLAIN) -m slow tests/simulation/test_singular.py

check: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(DEV)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

BENCHMARKS := derive successive evaluate simulate switching friction overconstrained mechanisms start first_run

bench: $(RUNTIME) $(PEERS)
	@set -e; for name in $(BENCHMARKS); do echo "== $$name"; $(BIN)/python benchmarks/$$name.py; done

# A minute for all of them: each runs with less work and with those peers only that are installed already.
bench-short: $(RUNTIME)
	@set -e; for name in $(BENCHMARKS); do echo "== $$name"; $(BIN)/python benchmarks/$$name.py --short; done

# The LLVM text of kernels whose source has changed: once per finished change, with the change.
kernels: $(DEV)
	$(BIN)/python -m lienket.kernels.native.stored.make

tolerances: $(RUNTIME)
	$(BIN)/python tools/tolerances.py

schema: $(RUNTIME)
	$(BIN)/python -m lienket.model.file > docs/model.schema.json

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "lienket needs Python 3.11 or newer; none was found on the path."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(RUNTIME): pyproject.toml | $(BIN)/python
	$(PIP) --editable .
	@touch $@

$(DEV): pyproject.toml | $(BIN)/python
	$(PIP) --editable ".[dev]"
	@touch $@ $(RUNTIME)

# The programs that benchmarks/evaluate.py and simulate.py compare with; those without a wheel for this machine are left out.
$(PEERS): Makefile | $(RUNTIME)
	-$(PIP) casadi
	-$(PIP) pin cmeel-eigen
	-$(PIP) mujoco
	-$(PIP) scikit-sundae
	-$(PIP) exudyn
	@touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
