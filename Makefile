lint := go tool -modfile=$(CURDIR)/tools/go.mod golangci-lint run

run: build ## build, simulate the herd and write its report to out/ (what plain make does)
	./stagger run herd -o out

build: ## build the command ./stagger
	go build -trimpath -o stagger ./cmd/stagger

test: ## run the tests
	go test ./...

test-reference: ## compare whole reference figures; takes minutes
	go test -tags reference -run Reference -timeout 20m ./...

# Never from the cache: what passed in real time may not pass again.
test-live: ## run the tests that take real time
	go test -tags live -run Live -count 1 ./...

race: ## run the short tests of what is concurrent under the race detector
	go test -race -short ./strategies/... ./sim/... ./cmd/...

lint: ## check style and the table of imports
	$(lint)
	cd bench/peers && $(lint)

vet: ## run go vet
	go vet ./...
	cd bench/peers && go vet ./...

# Rounds, not -count: then a busy moment meets all libraries alike.
bench: ## print the delay functions and the engine, beside other libraries
	cd bench/peers && for round in 1 2 3 4 5 6; do \
		go test -run '^$$' -bench . -benchmem -count 10 -benchtime 3ms . || exit 1; done | go run ./table
	go test -run '^$$' -bench Engine -benchtime 1x ./bench

bench-once: ## run every benchmark once: does it run, do its limits on allocations hold
	go test -run '^$$' -bench . -benchmem -benchtime 1x ./...
	cd bench/peers && go test -bench . -benchmem -benchtime 1x ./...

# Only packages with golden files know the flag.
golden: ## rewrite the golden files, and the lessons in the README
	go test $$(grep -rl --include='*_test.go' 'flag.Bool("update"' . | xargs -n 1 dirname | sort -u) -update

clean: ## remove what was built
	rm -rf stagger out

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run build test test-reference test-live race lint vet bench bench-once golden clean help
