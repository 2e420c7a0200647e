#!/usr/bin/env python3
"""Speed and quality of the settings of FFmpeg's AAC encoder.

Makes a speech-like and a music-like recording of 64 s with espeak-ng and sox, encodes each with every setting, and prints
one line for each: times real time on one core, and how far the coding noise lies below (or above) what the signal masks.

    segSNR   mean over frames of 20 ms of the signal-to-noise ratio, each limited to -10...35 dB
    NMR      mean noise-to-mask ratio in dB: noise and signal energy in 25 Bark bands of a 2048-point Hann window, the signal
             spread over the bands (Schroeder's function) and lowered by 6 dB; lower is better, below 0 is inaudible
    over     share of band-frames in which the noise is above the mask
    kbit/s   bit rate that came out

Needs ffmpeg, espeak-ng, sox and numpy.  Usage: aac_coders.py [--rate 44100] [--channels 1]
"""
import argparse
import os
import resource
import subprocess
import tempfile

import numpy as np

SENTENCES = [
    ("en-us", "The quick brown fox jumps over the lazy dog, while six thick thistle sticks stand still in the sunshine."),
    ("en-gb+f3", "She sells sea shells on the shore; the shells that she sells are sea shells for sure, said the fisherman."),
    ("de", "Zwischen zwei Zwetschgenzweigen zwitschern zwei Schwalben, und der Wind streicht leise durch die Gassen."),
    ("fr+f2", "Les chaussettes de l'archiduchesse sont elles seches, ou bien faut il encore attendre un petit moment ?"),
]

SETTINGS = {
    "twoloop": ["-aac_coder", "twoloop"],
    "twoloop, no TNS": ["-aac_coder", "twoloop", "-aac_tns", "0"],
    "fast": ["-aac_coder", "fast"],
    "fast, no TNS": ["-aac_coder", "fast", "-aac_tns", "0"],
    "fast, no TNS, cutoff 20 kHz": ["-aac_coder", "fast", "-aac_tns", "0", "-cutoff", "20000"],
    "anmr": ["-strict", "-2", "-aac_coder", "anmr"],
}
STEREO_SETTINGS = {
    "twoloop, no IS": ["-aac_coder", "twoloop", "-aac_is", "0"],
    "fast, no IS": ["-aac_coder", "fast", "-aac_is", "0"],
    "fast, no IS, no MS": ["-aac_coder", "fast", "-aac_is", "0", "-aac_ms", "0"],
}


def run(*command):
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def make_speech(folder, path, rate, channels):
    parts = []
    for index in range(12):
        voice, text = SENTENCES[index % len(SENTENCES)]
        part = f"{folder}/speech{index}.wav"
        run("espeak-ng", "-v", voice, "-s", str(140 + 5 * index), "-w", part, text)
        parts.append(part)
    # A room is never silent: pink noise 50 dB down, apart for each channel.
    run("sox", *parts, "-r", str(rate), "-c", str(channels), f"{folder}/dry.wav", "gain", "-n", "-3", "trim", "0", "64")
    run("sox", "-R", "-r", str(rate), "-n", "-c", str(channels), f"{folder}/room.wav", "synth", "64", "pinknoise", "vol", "-50dB")
    run("sox", "-m", "-v", "1", f"{folder}/dry.wav", "-v", "1", f"{folder}/room.wav", "-b", "16", path)


def make_music(folder, path, rate, channels):
    layers = []
    chords = [("C2", "E3", "G3", "C4"), ("A2", "C3", "E3", "A4"), ("F2", "A3", "C4", "F4"), ("G2", "B3", "D4", "G4")]
    for index, chord in enumerate(chords):
        part = f"{folder}/chord{index}.wav"
        voices = []
        for place, note in enumerate(chord):
            voices += ["pluck" if place else "sawtooth", note]
        run("sox", "-R", "-r", str(rate), "-n", "-c", "4", f"{folder}/raw{index}.wav", "synth", "1", *voices,
            "fade", "h", "0.005", "1", "0.3", "gain", "-8")
        remix = ["1,2v0.8,3v0.5,4v0.9", "1,2v0.5,3v0.9,4v0.6"][:channels]
        run("sox", f"{folder}/raw{index}.wav", part, "remix", "-m", *remix)
        layers.append(part)
    run("sox", *layers, f"{folder}/bar.wav")
    run("sox", "-R", "-r", str(rate), "-n", "-c", str(channels), f"{folder}/hat.wav", "synth", "0.25", "whitenoise",
        "highpass", str(min(6000, rate / 4)), "fade", "l", "0.001", "0.25", "0.22", "vol", "0.2", "repeat", "15")
    run("sox", "-m", "-v", "0.8", f"{folder}/bar.wav", "-v", "0.5", f"{folder}/hat.wav", "-b", "16", path, "gain", "-n", "-3",
        "repeat", "15")


def samples(path, rate, channels):
    raw = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", path, "-f", "f32le", "-ac", str(channels), "-ar", str(rate), "-"],
        check=True, capture_output=True).stdout
    return np.frombuffer(raw, "<f4").reshape(-1, channels).astype(float)


def segmental(signal, noise, rate):
    size = rate // 50
    count = len(signal) // size
    power = lambda x: (x[: count * size].reshape(count, -1) ** 2).sum(1)
    loud = power(signal) > power(signal).max() * 1e-5
    ratio = 10 * np.log10((power(signal) + 1e-12) / (power(noise) + 1e-12))
    return np.clip(ratio, -10, 35)[loud].mean()


def noise_to_mask(signal, noise, rate):
    size, hop = 2048, 1024
    window = np.hanning(size)
    frequency = np.fft.rfftfreq(size, 1 / rate)
    bark = 13 * np.arctan(0.00076 * frequency) + 3.5 * np.arctan((frequency / 7500) ** 2)
    band = bark.astype(int)
    bands = band.max() + 1
    collect = np.zeros((bands, len(frequency)))
    collect[band, np.arange(len(frequency))] = 1
    distance = np.arange(bands)[:, None] - np.arange(bands)[None, :] + 0.474
    spread = 10 ** ((15.81 + 7.5 * distance - 17.5 * np.sqrt(1 + distance**2)) / 10)
    # About what can be heard in a quiet room when full scale is played at 96 dB.
    floor = 10 ** (-90 / 10) * (window**2).sum() ** 2 / 64
    values = []
    for channel in range(signal.shape[1]):
        for start in range(0, len(signal) - size, hop):
            energy = lambda x: collect @ np.abs(np.fft.rfft(window * x[start : start + size, channel])) ** 2
            mask = spread @ energy(signal) * 10**-0.6 + floor
            values.append(energy(noise) / mask)
    values = np.array(values)
    return 10 * np.log10(values + 1e-6).mean(), (values > 1).mean()


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--rate", type=int, default=44100)
    arguments.add_argument("--channels", type=int, default=1)
    arguments.add_argument("--kbits", type=int, nargs="*", default=[64, 96, 128])
    options = arguments.parse_args()
    settings = dict(SETTINGS, **(STEREO_SETTINGS if options.channels == 2 else {}))
    with tempfile.TemporaryDirectory() as folder:
        print(f"| source | kbit/s asked | setting (noise substitution off) | x real time | segSNR dB | NMR dB | over | kbit/s |")
        print("|---|---|---|---|---|---|---|---|")
        for name, make in (("speech", make_speech), ("music", make_music)):
            source = f"{folder}/{name}.wav"
            make(folder, source, options.rate, options.channels)
            signal = samples(source, options.rate, options.channels)
            seconds = len(signal) / options.rate
            for kbits in options.kbits:
                for label, setting in settings.items():
                    target = f"{folder}/out.m4a"
                    before = resource.getrusage(resource.RUSAGE_CHILDREN)
                    run("ffmpeg", "-y", "-i", source, "-c:a", "aac", *setting, "-aac_pns", "0", "-b:a", f"{kbits}k", target)
                    after = resource.getrusage(resource.RUSAGE_CHILDREN)
                    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                    decoded = samples(target, options.rate, options.channels)
                    length = min(len(signal), len(decoded))
                    noise = decoded[:length] - signal[:length]
                    snr = segmental(signal[:length], noise, options.rate)
                    nmr, over = noise_to_mask(signal[:length], noise, options.rate)
                    actual = os.path.getsize(target) * 8 / seconds / 1000
                    print(f"| {name} | {kbits} | {label} | {seconds / spent:.0f} | {snr:.1f} | {nmr:.1f} | {over:.1%} | {actual:.0f} |",
                          flush=True)


main()
