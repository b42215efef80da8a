# Builds, tries, tests and installs ravi; `make help` lists the targets.
PREFIX ?= /usr/local
PRESET ?= release
JOBS ?= $(shell nproc)
# Each preset has its own build folder; that of the default one is plain build/.
BUILD := build$(patsubst -release,,-$(PRESET))
CTEST_FLAGS ?=
PAPER_FLAGS ?= --quick
# For each reader.
FUZZ_SECONDS ?= 600
# Radon's data are not part of ravi.
BENCH_DATA ?= $(wildcard $(or $(RAVI_DATA),../shared/data)/radon.stan.json)

.DELETE_ON_ERROR:
.PHONY: all build python demo test unit threads fuzz bench compare sensitivity race paper references deps test-deps stan-deps python-deps \
  install format check-format check-layers verify-headers clean help

all: build

build: $(BUILD)/build.ninja ## the library and the program, build/ravi
	cmake --build $(BUILD) -j $(JOBS) --target ravi ravi_program ravi_python

# The tests stay out until `make test` asks for them, so that a build needs none of their packages.
$(BUILD)/build.ninja: | deps
	cmake --preset $(PRESET) -DRAVI_TESTS=OFF

# A build also has it, where what it needs is installed.
python: python-deps ## the Python package, build/python/ravi
	cmake --preset $(PRESET)
	cmake --build $(BUILD) -j $(JOBS) --target ravi_python

# The program alone, without the Python package. Exit status 1 is a fit that finished with a verdict
# other than accurate or usable.
demo: $(BUILD)/build.ninja ## fit the eight schools with the program
	cmake --build $(BUILD) -j $(JOBS) --target ravi_program
	rm -rf $(BUILD)/demo
	$(BUILD)/ravi fit eight-schools-noncentered \
	  --output $(BUILD)/demo/eight-schools --overwrite || test $$? -eq 1

test: test-deps ## build and run every test
	cmake --preset $(PRESET) -DRAVI_TESTS=ON
	cmake --build $(BUILD) -j $(JOBS)
	ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j $(JOBS) $(CTEST_FLAGS)

unit: test-deps ## build and run the unit tests alone
	cmake --preset $(PRESET) -DRAVI_TESTS=ON
	cmake --build $(BUILD) -j $(JOBS) --target unit_tests
	ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j $(JOBS) -L unit $(CTEST_FLAGS)

threads: test-deps ## build the tests that use threads, and run them under the thread sanitizer
	cmake --preset threads
	cmake --build build-threads -j $(JOBS) --target core_tests algorithm_tests
	ctest --test-dir build-threads --output-on-failure --no-tests=error -j $(JOBS) -R 'ParallelFor|Thread'

fuzz: ## readers against made-up input, by libFuzzer: FUZZ_SECONDS (600) each, FUZZ_READERS alone
	@tools/install_packages engine stan tests
	cmake --preset fuzz
	cmake --build build-fuzz -j $(JOBS) --target fuzz_readers
	tests/fuzz/run build-fuzz $(FUZZ_SECONDS) $(FUZZ_READERS)

bench: ## measure ratios of speed, side by side in one run: bench/RESULTS.md (half an hour)
	@tools/install_packages engine stan bench
	cmake --preset $(PRESET) -DRAVI_BENCHMARKS=ON
	cmake --build $(BUILD) -j $(JOBS) --target ravi_program limit memory large_data stan_loader
	XDG_CACHE_HOME=$(CURDIR)/$(BUILD)/cache bench/run $(BUILD) $(BENCH_DATA) >$(BUILD)/bench.md
	cp $(BUILD)/bench.md bench/RESULTS.md

compare: build ## ravi, Stan's ADVI and NUTS on the posteriors of models/ and bench/posteriors/ (hours)
	@tools/install_packages engine stan references
	XDG_CACHE_HOME=$(CURDIR)/$(BUILD)/cache Rscript bench/compare.R --ravi $(BUILD)/ravi \
	  --results $(BUILD)/compare.json --output $(BUILD)/comparison.md models bench/posteriors

sensitivity: ## which verdicts depend on which limit, of the posteriors of models/ and bench/posteriors/ (hours)
	@tools/install_packages engine stan references
	cmake --preset $(PRESET) -DRAVI_BENCHMARKS=ON
	cmake --build $(BUILD) -j $(JOBS) --target ravi_scaled
	XDG_CACHE_HOME=$(CURDIR)/$(BUILD)/cache Rscript bench/sensitivity.R --ravi $(BUILD)/bench/ravi_scaled \
	  --results $(BUILD)/sensitivity --output $(BUILD)/sensitivity.md models bench/posteriors

race: build ## ravi's time and accuracy against Stan's ADVI and NUTS, with bars (long: NUTS)
	@tools/install_packages engine stan bench
	XDG_CACHE_HOME=$(CURDIR)/$(BUILD)/cache Rscript bench/race.R --ravi $(BUILD)/ravi \
	  --results $(BUILD)/race.json

# Quick unless told otherwise: make paper PAPER_FLAGS=--full. Its runs are kept in the build folder.
paper: build ## run the paper's tables and figures again, quickly: build/paper/index.html
	$(BUILD)/ravi paper $(PAPER_FLAGS) --output $(BUILD)/paper
	@if grep '^Left out' $(BUILD)/paper/RESULTS.md; then \
	  echo "paper/RESULTS.md stays as it is: it has more rows than $(BUILD)/paper/RESULTS.md"; \
	else cp $(BUILD)/paper/RESULTS.md paper/RESULTS.md; fi

references: ## make the reference posteriors in models/ again, by NUTS (an hour)
	@tools/install_packages engine stan references
	Rscript models/make_references.R

deps: ## install the Debian packages that the build needs
	@tools/install_packages engine

test-deps: ## ... and those that the tests need
	@tools/install_packages engine stan python tests

python-deps: deps ## ... and those that the Python package needs
	@tools/install_packages engine python

stan-deps: deps ## ... and those that compile Stan programs
	@tools/install_packages engine stan

install: build ## install to PREFIX (/usr/local), under DESTDIR if set
	cmake --install $(BUILD) --prefix $(PREFIX)

format: test-deps ## lay out all C++ sources by .clang-format
	tools/check_format --fix

check-format: test-deps ## check that they are laid out so
	tools/check_format

check-layers: ## check that every layer includes only what lies below it
	tools/check_layers

verify-headers: $(BUILD)/build.ninja ## compile every public header on its own (PRESET=ci)
	cmake --build $(BUILD) -j $(JOBS) --target all_verify_interface_header_sets

clean: ## remove the build folders
	rm -rf build build-*

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
