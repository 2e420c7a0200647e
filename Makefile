# What people do with the project, by name. `make help` lists it.
#
# Every target runs as it stands in a fresh clone: what it needs from Debian it installs first, after saying so.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift

# One set of flags for building and testing, so that nothing is compiled twice. The import check holds the arrows of
# Package.swift: a target that imports what it does not declare fails.
CHECKED := -Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error

.DEFAULT_GOAL := help
.PHONY: help run build test campaign sanitize hours scenarios install uninstall lint docs bench fuzz check build-packages test-packages toolchain

help: ## This list.
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1	\2/p' $(MAKEFILE_LIST) | expand -t 18

run: build-packages toolchain ## A guided first recording: record ten seconds, look at the take, hear it.
	@echo "Building kayit (once; a minute or two) …"
	@$(SWIFT) build --quiet --product kayit
	@"$$($(SWIFT) build --show-bin-path)/kayit" demo

build: build-packages toolchain ## Everything, tests included, with warnings as errors.
	$(SWIFT) build --build-tests $(CHECKED)

test: test-packages toolchain ## All tests. They start sound servers of their own; yours is left alone.
	$(SWIFT) build --quiet --build-tests $(CHECKED)
	@SWIFT='$(SWIFT)' Scripts/test.sh $(CHECKED)

campaign: test-packages toolchain ## Tries to break recordings for ten minutes; writes the result into docs/RELIABILITY.md.
	Scripts/campaign.sh $(SEED)

sanitize: test-packages toolchain ## Calls everything from eight threads under the thread and address sanitizers.
	Scripts/sanitize.sh $(SECONDS)

hours: test-packages toolchain ## Records HOURS=8 in parts in virtual time, and joins them; the same full of interruptions.
	$(SWIFT) build --quiet --build-tests $(CHECKED)
	KAYIT_HOURS=$(or $(HOURS),8) $(SWIFT) test --skip-build --disable-xctest $(CHECKED) --no-parallel \
		--filter 'PartedHoursTests|PartedRecordingTests|DayTests'

scenarios: build-packages toolchain ## Searches COUNT=10000 random scenarios of calls, cables and disks, from SEED=1 on.
	$(SWIFT) build --quiet --configuration release --product kayit
	"$$($(SWIFT) build --configuration release --show-bin-path)/kayit" simulate --random \
		--seed $(or $(SEED),1) --count $(or $(COUNT),10000)

install: build-packages toolchain ## The release build of kayit, into $(PREFIX)/bin.
	$(SWIFT) build --quiet --configuration release --static-swift-stdlib --product kayit
	install -D -m 755 "$$($(SWIFT) build --configuration release --static-swift-stdlib --show-bin-path)/kayit" \
		"$(DESTDIR)$(PREFIX)/bin/kayit"

uninstall: ## Takes away what `make install` put there.
	rm -f "$(DESTDIR)$(PREFIX)/bin/kayit"

lint: test-packages toolchain ## Format, links in the documents, and arrows between targets.
	$(SWIFT) format lint --strict --recursive Package.swift $(wildcard Sources Tests Examples Fuzz Benchmarks)
	Scripts/check-links.sh
	Scripts/check-arrows.sh

docs: test-packages toolchain ## The DocC pages of the public modules, into .build/docs.
	@$(SWIFT) build --quiet --build-tests $(CHECKED)
	Scripts/docs.sh

bench: toolchain ## Benchmarks against ffmpeg, with the release build: some minutes.
	@Scripts/install-packages.sh build test bench
	Scripts/bench.sh

fuzz: test-packages toolchain ## Fuzzes the readers and decoders for SECONDS=30.
	Scripts/fuzz.sh $(or $(SECONDS),30)

check: ## Everything that must hold before a change lands.
	.ci/run

toolchain:
	@$(SWIFT) --version >/dev/null 2>&1 || { \
		echo "Swift 6.3 is needed and is not a Debian package: see \"Install\" in README.md." >&2; exit 1; }

build-packages:
	@Scripts/install-packages.sh build

test-packages:
	@Scripts/install-packages.sh build test
