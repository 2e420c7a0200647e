#!/usr/bin/env bash
# Runs a program on a private PulseAudio server whose only microphone is the monitor of a null sink.
#
#   Benchmarks/Recording/on-null-sink.sh PROGRAM [ARGUMENT…]
set -euo pipefail

source "$(dirname "$0")/../private-server.sh"
start_server loop 1
"$@"
