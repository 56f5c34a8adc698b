# Every target does its own set-up in .venv; a stamp file remembers what was installed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# Only what the locks name, by hash. Where a package has no wheel: make WHEELS= …, which builds it.
WHEELS := --only-binary :all:
LOCKED := $(PIP) install -q --require-hashes $(WHEELS) -r
SOURCES := pyproject.toml CMakeLists.txt $(wildcard src/core/*/*.cpp src/core/*/*.hpp)
CORE := build/core
# Each worker of pytest reads all tests first: no more of them than processors.
WORKERS := -n auto --maxprocesses 4
# Tacit itself, in place. What was compiled before is kept, and shown is how far the compiler is.
INSTALL = { PATH="$(CURDIR)/$(BIN):$$PATH" $(PIP) install -v --no-deps --no-build-isolation -C build-dir=$(CORE) -e . 2>&1 \
  || echo FAILED; } | $(BIN)/python requirements/progress.py build/install.log

# The tests start hundreds of interpreters, which would otherwise each compile what they import.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-slow bench ablate sanitize tsan dev docs results wheel lint locks clean

demo: $(VENV)/.core
	@$(BIN)/tacit demo

test: $(VENV)/.test lint
	@$(MAKE) --no-print-directory cpp-test
	$(BIN)/python -m pytest $(WORKERS) -m "not slow"

test-slow: $(VENV)/.bench $(VENV)/.docs
	@$(MAKE) --no-print-directory cpp-test
	TACIT_FUZZ=10000 $(BIN)/python -m pytest -n 2 --timeout 3600

bench: $(VENV)/.bench
	$(BIN)/python bench/grounding.py
	$(BIN)/python bench/scaling.py
	$(BIN)/python bench/search.py coverage
	$(BIN)/python bench/search.py rate
	$(BIN)/python bench/ranking.py
	$(BIN)/python bench/solve.py
	$(BIN)/python bench/mafs.py
	$(BIN)/python bench/mafs.py threads
	$(BIN)/python bench/network.py

# What each stage of the policy is worth; rows stay in build/ablation.csv. About an hour of CPU.
ablate: $(VENV)/.bench
	$(BIN)/python bench/ablate.py

lint: $(VENV)/.test
	$(BIN)/ruff check src tests bench examples docs/*.py requirements
	$(BIN)/ruff format --check src tests bench examples docs/*.py requirements
	$(BIN)/clang-format --dry-run --Werror src/core/*/*.?pp tests/core/*.?pp
	$(BIN)/mypy
	$(BIN)/codespell

# Linked with the objects of the module, which are compiled once.
.PHONY: cpp-test
cpp-test: $(VENV)/.core
	@$(BIN)/cmake --build $(CORE) --target core_tests
	@$(CORE)/core_tests

# Incremental: ninja rebuilds the C++ files that changed, and the module is put in place again.
dev: $(VENV)/.test
	@$(INSTALL)

# Each file is compiled alone here, which finds includes that are missing.
sanitize: $(VENV)/.test
	$(BIN)/cmake -S . -B build/sanitize -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
	  -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python -DCMAKE_BUILD_TYPE=RelWithDebInfo \
	  -DTACIT_SANITIZE=address,undefined -DTACIT_UNITY=OFF
	$(BIN)/cmake --build build/sanitize --target _core core_tests
	build/sanitize/core_tests
	TACIT_CORE_DIR=build/sanitize ASAN_OPTIONS=detect_leaks=0 \
	  LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	  $(BIN)/python -m pytest -m "not slow" -p no:cacheprovider tests/party/local/test_ground.py tests/party/local/test_factored.py tests/pddl/test_fuzz.py tests/party/disclosure/test_rankings.py tests/public/test_states.py tests/public/test_states_received.py tests/party/mafs/test_hardening.py

# The C++ tests, nodes on threads among them, under ThreadSanitizer.
tsan: $(VENV)/.core
	$(BIN)/cmake -S . -B build/tsan -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
	  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTACIT_PYTHON=OFF -DTACIT_SANITIZE=thread
	$(BIN)/cmake --build build/tsan --target core_tests
	build/tsan/core_tests

# The pages of docs/results, from the rows in NAME.csv.gz: one folder NAME each. The graphs need the
# problems themselves: make results CODMAP=…/unfactored
results: $(VENV)/.test
	@mkdir -p build
	@for rows in docs/results/*.csv.gz; do \
	  name=$$(basename $$rows .csv.gz); \
	  rm -f build/$$name.db* && $(BIN)/tacit restore $$rows -o build/$$name.db && \
	  $(BIN)/tacit report build/$$name.db --markdown --notes docs/results/notes.toml -o docs/results/$$name --force || exit 1; \
	done
	@if [ -n "$(CODMAP)" ]; then $(BIN)/python docs/graphs.py $(CODMAP); fi

# What a release would have, made with the locked tools: the sdist, and the wheel from the sdist, which
# is tried in an empty environment without a compiler.
wheel: $(VENV)/.core
	@rm -rf dist && mkdir dist
	@$(BIN)/python -c 'import scikit_build_core.build as backend; print("dist/" + backend.build_sdist("dist"))'
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(PIP) wheel -q --no-deps --no-build-isolation -w dist dist/*.tar.gz
	@$(BIN)/python requirements/try_wheel.py

# The locks anew; with the newest versions: make locks UPGRADE=--upgrade
locks:
	$(PYTHON) requirements/renew.py $(UPGRADE)

# Strict: a link that leads nowhere is an error.
docs: $(VENV)/.docs
	$(BIN)/zensical build --strict --clean

clean:
	rm -rf $(VENV) build site dist .cache

$(VENV)/.made:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Tacit needs Python 3.11 or newer: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.packages: $(VENV)/.made requirements/core.lock
	@echo "Installing packages in $(VENV)."
	@$(LOCKED) requirements/core.lock
	@touch $@

$(VENV)/.core: $(VENV)/.packages $(SOURCES)
	@echo "Compiling the native core."
	@$(INSTALL)
	@$(BIN)/python -m compileall -q src/tacit
	@touch $@

# Compiled anew, the core needs no packages anew.
$(VENV)/.test $(VENV)/.docs $(VENV)/.bench: $(VENV)/.%: $(VENV)/.packages requirements/test.lock requirements/%.lock | $(VENV)/.core
	@$(LOCKED) requirements/test.lock
	@$(LOCKED) requirements/$*.lock
	@touch $@
