# Builds the engine under a chosen name, as OpenBench calls it: make EXE=name
# For everyday work use cargo; see README.md.

EXE ?= cannonade
CARGO ?= cargo

ifeq ($(OS),Windows_NT)
	SUFFIX := .exe
endif

# OpenBench passes EXE without `.exe` on Windows.
OUTPUT := $(patsubst %.exe,%,$(EXE))$(SUFFIX)

.PHONY: all test clean

# Of all crates, the search among them, and not only of the program's main file.
all: export RUSTFLAGS += -C target-cpu=native
all:
	$(CARGO) rustc --release -p cannonade --bin cannonade -- --emit link="$(OUTPUT)"

test:
	.ci/run

clean:
	$(CARGO) clean
