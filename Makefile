# The front door. `make help` lists what there is; CMake does the building, in build/.
#
# Each target first installs what it lacks (scripts/setup, Debian). To install by hand instead:
# make SETUP=true ...
SETUP ?= scripts/setup
PREFIX ?= /usr/local

.PHONY: all studio demo test test-studio bench install format clean help

all: ## build the command build/motorcade and the library
	@$(SETUP) run
	@test -f build/build.ninja || cmake --preset release
	@cmake --build build --target motorcade_command motorcade

studio: all ## open the studio in a browser (FILE=scenario.yaml, OPTIONS="--port 9000")
	@build/motorcade studio $(FILE) $(OPTIONS)

demo: all ## run the main scenario: a results file and a report
	@scripts/demo

test: ## all tests: plain, format, page, browser, sanitizers, fuzzing (FUZZ_SECONDS=20 a target)
	@$(SETUP) test
	@scripts/check

test-studio: all ## the studio's page in a real browser, against the real server
	@$(SETUP) test
	@scripts/test-studio

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
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' Makefile | expand -t 14
