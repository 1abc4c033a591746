# The front door. `make help` lists what there is; CMake does the building, in build/.
#
# Each target first installs what it lacks (scripts/setup, Debian). To install by hand instead:
# make SETUP=true ...
SETUP ?= scripts/setup
PREFIX ?= /usr/local

.PHONY: all demo test bench install format clean help

all: ## build the command build/motorcade and the library
	@$(SETUP) run
	@test -f build/build.ninja || cmake --preset release
	@cmake --build build --target motorcade_command motorcade

demo: all ## run the main scenario: a results file and a report
	@scripts/demo

test: ## all tests: plain, format, sanitizers, fuzzing (FUZZ_SECONDS=20 a target)
	@$(SETUP) test
	@scripts/check

bench: all ## measure speed and accuracy
	@$(SETUP) bench
	@scripts/bench

install: all ## install command, library and headers below PREFIX=/usr/local
	@cmake -B build -DCMAKE_INSTALL_PREFIX=$(abspath $(PREFIX)) >/dev/null
	@cmake --install build

format: ## let clang-format lay out the C files
	@$(SETUP) test
	@scripts/format

clean: ## remove everything built
	rm -rf build build-asan build-tsan build-fuzz

help: ## this list
	@sed -n 's/^\([a-z]*\):[^#]*## /\1\t/p' Makefile | expand -t 10
