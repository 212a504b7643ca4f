# `make` shows this list. The three tiers: check (fast), .ci/run (all), long (by hand).
.DEFAULT_GOAL := help
GO     ?= go
TOOL   := $(GO) tool -modfile=.ci/tools/go.mod
FUZZ   ?= 10s

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

run: ## open the dashboard
	$(GO) run ./cmd/coppice

test: ## the tests that need only Go and git
	$(GO) test ./...

race: ## the same tests with the race detector
	$(GO) test -race ./...

lint: ## formatting, vet and linters, with the pinned tools
	$(TOOL) golangci-lint run --config .ci/golangci.yml ./...
	GOOS=darwin $(GO) vet ./...

tidy: ## go.mod and go.sum say what the code needs
	$(GO) mod tidy -diff

check: tidy lint race ## everything fast: what to run before a commit

fuzz: ## each fuzz target for FUZZ (10s)
	@.ci/fuzz $(FUZZ)

lab: ## the tests against the real client (installs it from npm)
	$(GO) test -race -tags lab -count=1 -parallel 4 -timeout 30m ./session/lab/... ./session/terminal/difftest/...

update: ## rewrite the golden files and the generated documents
	$(GO) test ./ui ./ui/preview ./cmd/coppice -update

long: ## full-size benchmarks and long fuzzing; figures go to docs/measurements.md
	@.ci/long

.PHONY: help run test race lint tidy check fuzz lab update long
