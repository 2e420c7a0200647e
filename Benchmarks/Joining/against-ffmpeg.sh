#!/usr/bin/env bash
# Joins the parts of a recording against ffmpeg's concat: twelve parts of five minutes (an hour) in every format, then 96
# (eight hours) and 288 (a day) of AAC by kayit alone.
#
#   Benchmarks/Joining/against-ffmpeg.sh JOINPARTS PROGRAM [FOLDER]     release builds of JoinParts and of kayit
#
# FOLDER lies on the disk to be measured; without it, in the folder for temporary files. Medians of five rounds, in which
# all take turns; before every run the disk has nothing left to write.
#
# "verified" is `kayit join --no-sync`: the file is complete, was opened and counted, and has its name. That is the moment
# at which ffmpeg ends, which verifies nothing. "on the disk" is `kayit join`, and for ffmpeg ffmpeg and sync(1).
# Memory is the peak beyond that of `kayit --version`, which is what the runtime and the libraries take. "inside" is the
# verified join in a process that has started, as a program has that uses the library.
#
# Ratios are given for whole processes and without the start of either (`--version`, `-version`), in time and in time of the
# processor; on a machine that does other work too, the latter says more.
#
# Goals: ten times faster than ffmpeg with 0 frames added; 96 parts verified in at most 0.5 s and 16 MiB.
set -euo pipefail

make_parts=$(realpath "$1")
kayit=$(realpath "$2")
scratch=$(mktemp -d -p "${3:-${TMPDIR:-/tmp}}")
trap 'rm -rf "$scratch"' EXIT
rounds=5

# Prints seconds, seconds of processor and mebibytes of one run, which makes $joined.
run() {
    rm -f "$joined"
    sync -f "$scratch"
    TIMEFORMAT='%3R %3U %3S'
    { time command time --format '%M' --output "$scratch/memory" "$@" </dev/null >"$scratch/log" 2>&1; } \
        2>"$scratch/time" || {
        cat "$scratch/log" >&2
        exit 1
    }
    paste -d ' ' "$scratch/time" <(tail -n 1 "$scratch/memory") | awk '{ print $1, $2 + $3, $4 / 1024 }'
}

# Prints the middle of the numbers in one column of a file.
median() { awk -v column="$2" '{ print $column }' "$1" | sort -n | sed -n "$(((rounds + 1) / 2))p"; }

# Frames that a reader gets who decodes all of a file.
decoded() { ffmpeg -nostdin -loglevel fatal -i "$1" -ac 1 -f s16le - | wc -c | awk '{ print $1 / 2 }'; }

# Frames that the parts or our file state.
frames() { "$kayit" info --json --waveform 0 "$@" | grep -o '"frames":[0-9]*' | cut -d: -f2 | paste -sd+ | bc; }

joined=$scratch/none
for _ in $(seq $rounds); do
    run "$kayit" --version >>"$scratch/base"
    run ffmpeg -version >>"$scratch/base-ffmpeg"
done
base=$(median "$scratch/base" 3)
printf '%s: %s s, %s s of processor, %.1f MiB\n' \
    'kayit --version' "$(median "$scratch/base" 1)" "$(median "$scratch/base" 2)" "$base" \
    'ffmpeg -version' "$(median "$scratch/base-ffmpeg" 1)" "$(median "$scratch/base-ffmpeg" 2)" \
    "$(median "$scratch/base-ffmpeg" 3)"

# How often ours fits into theirs: $1 and $3 ours and its start, $2 and $4 theirs, in column $5.
ratio() {
    awk -v a="$(median "$1" "$5")" -v b="$(median "$2" "$5")" -v c="$(median "$3" "$5")" -v d="$(median "$4" "$5")" \
        'BEGIN { printf "%.1f (without starts %.1f)", b / a, (b - d) / (a > c ? a - c : 0.001) }'
}

compare() {
    local count=$1 ending=$2
    local parts added
    joined=$scratch/joined.$ending
    mkdir -p "$scratch/parts"
    "$make_parts" "$scratch/parts" "$count" "$ending"
    parts=("$scratch/parts"/part-*."$ending")
    local expected
    expected=$(frames "${parts[@]}")
    printf '%d parts of %s, %d MB, %d frames\n' "$count" "$ending" \
        "$(du -cm "${parts[@]}" | tail -1 | cut -f1)" "$expected"
    printf "file '%s'\n" "${parts[@]}" >"$scratch/list"
    local names=(verified disk)
    local -A command=(
        [verified]="'$kayit' join --no-sync '$joined' '$scratch/parts'/part-*.$ending"
        [disk]="'$kayit' join '$joined' '$scratch/parts'/part-*.$ending"
        [ffmpeg]="ffmpeg -nostdin -loglevel error -f concat -safe 0 -i '$scratch/list' -c copy '$joined'"
        [ffmpegdisk]="ffmpeg -nostdin -loglevel error -f concat -safe 0 -i '$scratch/list' -c copy '$joined' && sync '$joined'"
        [cat]="cat '$scratch/parts'/part-*.$ending >'$joined'"
    )
    if [ "$count" = 12 ]; then names+=(cat); fi
    # It does not write AAC into CAF.
    if [ "$count" = 12 ] && [ "$ending" != caf ]; then names+=(ffmpeg ffmpegdisk); fi
    rm -f "$scratch"/of-* "$scratch"/frames-*
    for _ in $(seq $rounds); do
        for name in "${names[@]}"; do
            run bash -c "${command[$name]}" >>"$scratch/of-$name"
            case $name in
                verified | disk) frames "$joined" >"$scratch/frames-$name" ;;
                ffmpeg) [ -e "$scratch/frames-$ending" ] || decoded "$joined" | tee "$scratch/frames-$ending" >"$scratch/frames-$name" ;;
            esac
        done
    done
    for name in "${names[@]}"; do
        added=-
        if [ -e "$scratch/frames-$name" ]; then added=$(($(<"$scratch/frames-$name") - expected)); fi
        printf '  %-12s %7.3f s %7.3f s of processor %7.1f MiB  %s frames added\n' "$name" \
            "$(median "$scratch/of-$name" 1)" "$(median "$scratch/of-$name" 2)" \
            "$(awk -v peak="$(median "$scratch/of-$name" 3)" -v base="$base" -v name="$name" \
                'BEGIN { print name ~ /^(verified|disk)$/ ? peak - base : peak }')" "$added"
    done
    rm -f "$joined"
    printf '  %-12s %7.3f s %7.3f s of processor\n' inside $("$make_parts" --join "$joined" "${parts[@]}")
    if [ -e "$scratch/of-ffmpeg" ]; then
        local starts=("$scratch/base" "$scratch/base-ffmpeg")
        printf '  ffmpeg takes %s times as long, %s times the processor; with the disk %s times as long\n' \
            "$(ratio "$scratch/of-verified" "$scratch/of-ffmpeg" "${starts[@]}" 1)" \
            "$(ratio "$scratch/of-verified" "$scratch/of-ffmpeg" "${starts[@]}" 2)" \
            "$(ratio "$scratch/of-disk" "$scratch/of-ffmpegdisk" "${starts[@]}" 1)"
    fi
    rm -rf "$scratch/parts" "$joined" "$scratch"/of-* "$scratch"/frames-*
}

compare 12 m4a
compare 12 caf
compare 12 wav
compare 12 flac
compare 12 opus
compare 96 m4a
compare 288 m4a
