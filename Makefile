# Two commands do all set-up: 'make demo' and 'make test'.
PYTHON ?= python3
VENV ?= .venv
BARE ?= .venv-bare
PIP = $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
RUN = $(VENV)/bin/
# Percent of lines and branches that tests must run; 96 were measured.
FLOOR = 95
# GiNZA pins an older Sudachi than Tenbin has, and a dictionary that goes with it.
GINZA ?= .venv-ginza
GINZA_PACKAGES = ginza==5.3.0 ja-ginza==5.3.0 sudachipy==0.6.11 sudachidict-core==20260723

# Tests start hundreds of processes; without compiled files on disk each would compile Tenbin again.
unexport PYTHONDONTWRITEBYTECODE

# Processes that run tests share the cores: threads of one would keep a core while they wait for each other.
PARALLEL = HYPOTHESIS_PROFILE=ci OMP_NUM_THREADS=1

# Processes that run tests, each in up to 2 GB.
WORKERS ?= $(shell python3 -c 'import os; print(max(2, min(4, os.cpu_count() or 2)))')

# Inputs per target of 'make fuzz', and which ones: other inputs every day.
ROUNDS = 200
SEED = $(shell date +%Y%m%d)

.PHONY: help demo test waiting check unit cluster browser chromium web webpackages webcheck webcompare screenshots coverage ginza mutants tables bare docs site bench fuzz golden clean

help:  ## show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: $(VENV)/.installed  ## install, score the bundled example, show which systems differ
	$(RUN)tenbin score --set bundled:example --pair ja-en
	@echo
	$(RUN)tenbin score --set bundled:example --pair ja-en -r refA refB -m bleu chrf++ ter ribes impact --ci --by segments
	@echo
	$(RUN)tenbin score --set bundled:example --pair ja-en -r refA refB -m meteor was mas has we_wpi yisi1
	@echo
	$(RUN)tenbin compare --set bundled:example --pair ja-en -m chrf++ --by segments

# Two at a time: what waits for a network, a browser or a cluster stands beside what computes. But for the tests, which
# show their progress, each target is printed when it is done.
test:  ## install all extras, run every check and every test
	$(MAKE) --no-print-directory --jobs 2 --output-sync=target $(VENV)/.installed-dev chromium webcheck bare
	$(MAKE) --no-print-directory --jobs 2 --output-sync=target tables check
	$(MAKE) --no-print-directory --jobs 2 unit waiting

waiting:  # one after the other, beside the tests
	@$(MAKE) --no-print-directory --output-sync=target browser cluster site

check: $(VENV)/.installed-dev  ## lint, format, types, import layers
	$(RUN)ruff check .
	$(RUN)ruff format --check .
	$(RUN)mypy
	$(RUN)lint-imports

unit: tables  ## every test but those on a cluster and in a browser
	$(PARALLEL) $(RUN)python -m pytest -n $(WORKERS) --dist worksteal --ignore tests/unit/tables/cluster --ignore tests/browser

cluster: $(VENV)/.installed-dev  ## the tests on a Spark cluster of this machine; skipped where there is no Java
	$(RUN)python -m pytest tests/unit/tables/cluster

browser: tables chromium webpackages  ## the report's pages in Chromium; installs it where apt-get may, and fails without it
	TENBIN_CI=1 $(RUN)python -m pytest tests/browser

# TENBIN_CHROMIUM names one that is not on the path.
chromium:
	@if [ -z "$$TENBIN_CHROMIUM" ] && ! command -v chromium > /dev/null && ! command -v chromium-browser > /dev/null; then \
		if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
			apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-liberation fonts-noto-cjk; \
		else \
			echo "Tests of the report need Chromium: 'sudo apt-get install chromium fonts-noto-cjk' on Debian or Ubuntu," >&2; \
			echo "elsewhere set TENBIN_CHROMIUM to the path of the program." >&2; \
			exit 1; \
		fi; \
	fi

web: web/node_modules/.installed  ## build the report's page from web/ into the package (needs Node 20 or later)
	npm --prefix web run build

# For two targets that may run at once.
webpackages:
	@if command -v npm > /dev/null; then $(MAKE) --no-print-directory web/node_modules/.installed; fi

webcheck: webpackages  ## check the page's types and tests, build it again, and compare it with the files in the package, where Node is present
	@if command -v npm > /dev/null; then \
		$(MAKE) --no-print-directory webcompare; \
	else \
		echo "Node is not installed: the page of the report is not built again ('apt-get install npm' on Debian)"; \
	fi

webcompare: web/node_modules/.installed
	npm --prefix web run check
	npm --prefix web test
	npm --prefix web run build -- --check

web/node_modules/.installed: web/package.json web/package-lock.json
	npm --prefix web ci --no-audit --no-fund
	touch $@

screenshots: $(VENV)/.installed-dev chromium  ## photograph the report for the documentation
	$(RUN)python docs/screenshots.py

coverage: $(VENV)/.installed-dev  ## lines and branches that unit, contract and property tests run; fails below a floor
	$(PARALLEL) $(RUN)python -m pytest -n $(WORKERS) --dist worksteal tests/unit tests/contracts tests/properties src \
		--ignore tests/unit/tables/cluster --cov=tenbin --cov-report=term:skip-covered --cov-fail-under=$(FLOOR)

ginza: $(GINZA)/.installed  ## the tests of names found by GiNZA, in an environment of their own
	HYPOTHESIS_PROFILE=ci $(GINZA)/bin/python -m pytest --no-header -p no:cacheprovider \
		tests/unit/penalty/test_names.py tests/unit/metrics/test_penalties.py -k ginza

# make mutants                              a sample of all rooms
# make mutants ONLY=kernels/ngrams SAMPLE=0  every change of some modules
SAMPLE ?= 320
MUTANT_SEED ?= 1
ONLY ?=
mutants: $(VENV)/.installed-dev  ## change the source in small ways and list what no test notices; ONLY=, SAMPLE=, MUTANT_SEED=
	$(RUN)python -m benchmarks.mutants --only '$(ONLY)' --sample $(SAMPLE) --seed $(MUTANT_SEED)

tables: $(VENV)/.installed-dev  ## the tables that oracle tests compare with; without a network they are skipped
	-$(RUN)tenbin resources install --quiet meteor-paraphrases-en minilm-en mpnet-en use-multilingual vectors-en vectors-fr vectors-ja vectors-ru vectors-zh

docs: $(VENV)/.installed-dev site  ## build the documentation, strictly, and check its generated pages, as the tests do
	$(RUN)python docs/generate.py --check

site: $(VENV)/.installed-dev  ## build the documentation, strictly
	$(RUN)mkdocs build --strict --quiet

bare:  ## build the wheel and start it where nothing but its dependencies is installed
	rm -rf $(BARE) dist
	$(PYTHON) -m venv $(BARE)
	$(BARE)/bin/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	$(BARE)/bin/python -m pip install --no-compile --quiet --disable-pip-version-check --constraint constraints.txt dist/*.whl
	$(BARE)/bin/tenbin --version
	$(BARE)/bin/tenbin doctor
	$(BARE)/bin/tenbin score --set bundled:example --pair ja-en -m bleu chrf ribes
	rm -rf $(BARE)

bench: $(VENV)/.installed-dev chromium  ## Tenbin and its peers in one run, printed as ratios
	$(PIP) --requirement benchmarks/requirements.txt
	$(RUN)python -m benchmarks
	$(RUN)python -m benchmarks.vectors
	$(RUN)python -m benchmarks.training
	$(RUN)python -m benchmarks.meta
	$(RUN)python -m benchmarks.mbr
	$(RUN)python -m benchmarks.report_in_browser

fuzz: $(VENV)/.installed-dev  ## damaged files and odd texts for every reader and metric; ROUNDS=200 of each
	$(RUN)python -m tests.fuzz --rounds $(ROUNDS) --seed $(SEED)

golden: $(VENV)/.installed-dev  ## refresh stored command outputs; review the difference
	$(RUN)python -m pytest tests/golden --refresh-golden

clean:  ## remove everything that was made
	rm -rf $(VENV) $(BARE) $(GINZA) build dist site .mutants .mypy_cache .ruff_cache .pytest_cache .hypothesis .benchmarks .coverage

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) --editable .
	touch $@

# Not with constraints.txt, which has the newer Sudachi; the dictionary comes as a wheel.
$(GINZA)/.installed: pyproject.toml Makefile
	$(PYTHON) -m venv $(GINZA)
	$(GINZA)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[lexicons]' pytest hypothesis \
		$(GINZA_PACKAGES)
	touch $@

# Few of the files are ever imported; whoever imports one first compiles it.
$(VENV)/.installed-dev: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) --no-compile --editable '.[ja,ko,zh,lexicons,tags,neural,tables,formats,ecosystem,plots,serve,combine,build,spark,oracles,dev]'
	touch $@
