# The entry point. `make help` lists the targets; CMake builds everything, in build/.
#
# build/ has one set of compiler flags. `make test` and `make bench` add programs to it, which `make`
# does not build; so they can run in any order, and nothing is compiled twice.
#
# Each target first installs what is missing (scripts/setup, Debian). To install it yourself:
# make SETUP=true ...
SETUP ?= scripts/setup
PREFIX ?= /usr/local
PRODUCTS = motorcade_command motorcade_shared motorcade_static

.PHONY: all studio demo quick test check campaign test-studio bench install deb deb-test dist site format clean help

all: ## build the command build/motorcade and the libraries
	@$(SETUP) run
	@test -f build/build.ninja || cmake --preset release
	@cmake --build build --target $(PRODUCTS)

studio: all ## open the studio in a browser (FILE=scenario.yaml, OPTIONS="--port 9000")
	@build/motorcade studio $(FILE) $(OPTIONS)

demo: all ## run the main scenario: a results file and a report
	@scripts/demo

quick: ## after a change, within a minute: quick tests, layers, format of changed files
	@scripts/check quick

test: ## does everything work? unit, contract, physics, docs, page and browser tests; 15 minutes
	@$(SETUP) test
	@scripts/check test

check: ## the rest: all browser tests, sanitizers, fuzzing (FUZZ_SECONDS=20 per target); 35 minutes
	@$(SETUP) test
	@scripts/check rest

campaign: ## series, kills, faults, fuzzing, soak, or PART=fuzz; hours; resumes (docs/reliability.md)
	@$(SETUP) test
	@scripts/campaign $(PART)

test-studio: all ## only the browser tests (TESTS=core or rest, else all)
	@$(SETUP) test
	@scripts/test-studio

bench: all ## measure speed and accuracy
	@$(SETUP) bench
	@scripts/bench

install: ## install command, libraries and headers under PREFIX=/usr/local
	@$(SETUP) run
	@test -f build/build.ninja || cmake --preset release
	@cmake -B build -DCMAKE_INSTALL_PREFIX=$(abspath $(PREFIX)) >/dev/null
	@cmake --build build --target $(PRODUCTS)
	@cmake --install build

deb: ## Debian packages of command, library, development files and Python, in build/deb
	@$(SETUP) deb
	@scripts/deb

deb-test: ## install, use and remove the packages of build/deb in a bare Debian (needs root and a mirror)
	@$(SETUP) deb
	@scripts/deb-test

site: ## the documentation as a static site with search, in build/site
	@$(SETUP) site
	@scripts/site

dist: ## the sources as build/motorcade-VERSION.tar.gz, which builds without a network
	@scripts/dist

format: ## format the C files with clang-format
	@$(SETUP) test
	@scripts/format

clean: ## remove everything built
	rm -rf build build-asan build-tsan build-fuzz

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' Makefile | expand -t 14
