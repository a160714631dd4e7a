#!/usr/bin/env python3
"""A corpus in parts on two hosts, on one machine: network namespaces, joined by a link of a given latency and bandwidth.

    sudo benches/parts/hosts.py TOPOI STORE CORPUS [--mpich] [--parts 2,4] [--links 0.1:1000,5:1000,0.1:100] [-- RUN OPTIONS]

TOPOI is a program with the feature `mpi`, built for Open MPI, or for MPICH with --mpich. A link is ONE_WAY_MS:MBIT_PER_SECOND. The first lines have all
parts on one host, by shared memory; the others have every second part on the other host, by TCP. Prints a Markdown table:
what `ping` finds the round trip to be, seconds of the run, those of them in exchanges, how many there were, megabytes that
part 0 sent, the seconds of exchanges by a model, and whether the topics are those of the first line to the bit. By the model
an exchange of N parts takes ⌈log₂ N⌉ latencies one way, and each part sends as much to every other part.

Needs root for namespaces, /dev/net/tun and Open MPI or MPICH. The link is made here, packet by packet, where the kernel has no netem: two TUN
devices and a thread for each way, which hands a packet on when its time has come.
"""
import argparse
import ctypes
import fcntl
import json
import math
import os
import queue
import shutil
import stat
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from open_mpi import ENVIRONMENT

HOSTS = ["topoi-a", "topoi-b"]
ADDRESSES = ["10.93.7.1", "10.93.7.2"]
#: As with jumbo frames: fewer packets for Python to hand on.
MTU = 9000
#: What waits for a slow link before packets are dropped, as in a switch.
MOST_WAITING = 400


def sh(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, **options).stdout


class Link:
    """Two namespaces and the link between them."""

    def __init__(self, one_way, rate):
        self.one_way, self.rate = one_way, rate
        self.remove()
        self.ends = []
        for host, address, peer in zip(HOSTS, ADDRESSES, reversed(ADDRESSES)):
            sh("ip", "netns", "add", host)
            self.ends.append(self.device_in(host))
            sh("ip", "-n", host, "link", "set", "lo", "up")
            sh("ip", "-n", host, "address", "add", address, "peer", peer, "dev", "wire")
            sh("ip", "-n", host, "link", "set", "wire", "mtu", MTU, "up")
        for source, sink in (self.ends, self.ends[::-1]):
            self.hand_on(source, sink)

    @staticmethod
    def device_in(host):
        """A TUN device in a namespace; a thread of its own enters it, so that this process stays where it is."""
        made = []

        def enter():
            with open(f"/run/netns/{host}") as namespace:
                if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), 0x40000000):
                    raise OSError(ctypes.get_errno(), f"cannot enter {host}")
            device = os.open("/dev/net/tun", os.O_RDWR)
            # TUNSETIFF with IFF_TUN | IFF_NO_PI.
            fcntl.ioctl(device, 0x400454CA, struct.pack("16sH", b"wire", 0x1001))
            made.append(device)

        thread = threading.Thread(target=enter)
        thread.start()
        thread.join()
        return made[0]

    def hand_on(self, source, sink):
        waiting = queue.Queue(MOST_WAITING)

        def read():
            free = 0.0
            while True:
                try:
                    packet = os.read(source, 65536)
                except OSError:
                    return
                now = time.perf_counter()
                # The wire sends one packet after the other; the last of its bits arrives a latency later.
                free = max(free, now) + 8 * len(packet) / self.rate
                try:
                    waiting.put_nowait((free + self.one_way, packet))
                except queue.Full:
                    free -= 8 * len(packet) / self.rate

        def write():
            while True:
                when, packet = waiting.get()
                left = when - time.perf_counter()
                # Sleeping wakes up to a tenth of a millisecond late.
                if left > 2e-4:
                    time.sleep(left - 1e-4)
                while time.perf_counter() < when:
                    pass
                try:
                    os.write(sink, packet)
                except OSError:
                    return

        for task in (read, write):
            threading.Thread(target=task, daemon=True).start()

    def round_trip(self):
        """In milliseconds, the median of ten."""
        said = sh("ip", "netns", "exec", HOSTS[0], "ping", "-c", 10, "-i", 0.05, ADDRESSES[1])
        times = sorted(float(line.split("time=")[1].split()[0]) for line in said.splitlines() if "time=" in line)
        return times[len(times) // 2]

    @staticmethod
    def remove():
        for host in HOSTS:
            subprocess.run(["ip", "netns", "delete", host], capture_output=True)

    def close(self):
        for end in self.ends:
            os.close(end)
        self.remove()


def agent(folder):
    """What mpirun starts its daemon on the other host with, in place of ssh."""
    path = Path(folder) / "on-host"
    lines = ["#!/bin/sh", "case $1 in"]
    lines += [f"{address}) name={host};;" for host, address in zip(HOSTS, ADDRESSES)]
    lines += ["esac", "shift", 'exec ip netns exec "$name" unshare --uts sh -c "hostname $name; $*"']
    path.write_text("\n".join(lines) + "\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def open_mpi(parts, link, folder):
    command = ["mpirun", "--bind-to", "none", "-n", parts]
    if link is None:
        return [*command, "--oversubscribe"]
    half = (parts + 1) // 2
    command += ["--host", ",".join(f"{address}:{half}" for address in ADDRESSES), "--map-by", "node"]
    command += ["--mca", "plm_rsh_agent", agent(folder), "--mca", "btl", "tcp,self,vader"]
    for layer in ("btl_tcp", "oob_tcp"):
        command += ["--mca", f"{layer}_if_include", "wire"]
    return command


def mpich(parts, link, folder):
    command = ["mpiexec.hydra", "-bind-to", "none", "-n", parts]
    if link is None:
        return command
    command += ["-hosts", ",".join(f"{address}:1" for address in ADDRESSES), "-iface", "wire"]
    # Debian's MPICH speaks by UCX, others by libfabric.
    command += ["-genv", "UCX_TLS", "tcp,self", "-genv", "UCX_NET_DEVICES", "wire", "-genv", "FI_TCP_IFACE", "wire"]
    return [*command, "-launcher", "rsh", "-launcher-exec", agent(folder)]


def run(options, parts, pattern, link, folder):
    command = (mpich if options.mpich else open_mpi)(parts, link, folder)
    if link:
        name = HOSTS[0]
        command = ["ip", "netns", "exec", name, "unshare", "--uts", "sh", "-c", f'hostname {name}; exec "$@"', "sh", *command]
    command += [options.topoi, "--store", options.store, "run", options.corpus, "--parts", pattern, "--threads", 1]
    command += [*options.run, "-o", "json"]
    begun = time.perf_counter()
    made = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=ENVIRONMENT)
    seconds = time.perf_counter() - begun
    if made.returncode:
        raise SystemExit(f"error: {' '.join(map(str, command))}\n{made.stderr}")
    number = json.loads(made.stdout)["run"]
    topoi = [options.topoi, "--store", options.store]
    found = json.loads(sh(*topoi, "metrics", number, "-o", "json"))
    metrics = {one["name"]: one["value"] for one in found if one.get("topic") is None}
    asked = f"SELECT hex(result_hash) AS hash FROM run WHERE id = {number}"
    return seconds, metrics, json.loads(sh(*topoi, "sql", asked, "-o", "json"))[0]["hash"]


def modelled(exchanges, sent, parts, link):
    """Seconds of exchanges in which part 0 sent these bytes."""
    half = parts // 2
    across = 8 * sent * half * half / (parts - 1) / link.rate
    return across + exchanges * math.ceil(math.log2(parts)) * link.one_way


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("topoi")
    parser.add_argument("store")
    parser.add_argument("corpus")
    parser.add_argument("--mpich", action="store_true")
    parser.add_argument("--parts", default="2,4")
    parser.add_argument("--links", default="0.1:1000,5:1000,0.1:100")
    given = sys.argv[1:]
    cut = given.index("--") if "--" in given else len(given)
    options = parser.parse_args(given[:cut])
    options.run = given[cut + 1 :] or ["-k", "20"]
    options.topoi = shutil.which(options.topoi) or options.topoi
    print("| parts | link | round trip, ms | seconds | of exchanges | exchanges | MB | by the model | same bits |")
    print("| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |")
    with tempfile.TemporaryDirectory() as folder:
        patterns = {}
        for parts in map(int, options.parts.split(",")):
            into = Path(folder) / str(parts)
            sh(options.topoi, "--store", options.store, "shard", options.corpus, "--parts", parts, "--into", into)
            patterns[parts] = f"{into}/part-{{rank}}.db"
        first = None
        # All on one host come first: after a link, mpirun has been seen to print nothing of such a job.
        for text in ["", *options.links.split(",")]:
            for parts, pattern in patterns.items():
                link = None
                if text:
                    one_way, rate = map(float, text.split(":"))
                    link = Link(one_way / 1e3, rate * 1e6)
                trip = link.round_trip() if link else 0.0
                seconds, metrics, found = run(options, parts, pattern, link, folder)
                if link:
                    link.close()
                first = first or found
                sent, waited = metrics["exchange_bytes"], metrics["exchange_seconds"]
                exchanges = metrics["exchanges"]
                predicted = modelled(exchanges, sent, parts, link) if link else 0.0
                name = f"{one_way:g} ms, {rate:g} Mbit/s" if link else "one host"
                same = "yes" if found == first else "no"
                row = [parts, name, f"{trip:.2f}", f"{seconds:.1f}", f"{waited:.2f}", f"{exchanges:.0f}", f"{sent / 1e6:.1f}"]
                print(f"| {' | '.join(map(str, [*row, f'{predicted:.2f}', same]))} |", flush=True)


if __name__ == "__main__":
    main()
