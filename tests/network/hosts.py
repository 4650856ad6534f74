#!/usr/bin/env python3
"""Two hosts on this machine, for programs that mpirun starts over TCP.

A host is a network namespace with its own host name. A virtual cable (veth) connects the two. The queueing discipline
tbf of Linux limits the rate of the cable. The class needs root, iproute2 and Open MPI; missing() names what is missing.

    tests/network/hosts.py --rate 100mbit build/train --data data/toy --epochs 1     # one process on each host
"""
import argparse
import atexit
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

NET = "10.77.0"  # only the two namespaces have addresses in this network, so other networks cannot interfere


def missing():
    """Returns the reason why this machine cannot have such hosts; "" if it can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "network namespaces need root on Linux"
    for program, package in (("mpirun", "openmpi-bin"), ("ip", "iproute2"), ("tc", "iproute2"), ("unshare", "util-linux")):
        if not shutil.which(program):
            return f"no program {program}; install {package}"
    probe = f"softalign-{os.getpid()}-probe"
    if subprocess.run(["ip", "netns", "add", probe], capture_output=True, check=False).returncode:
        return "this machine does not allow `ip netns add`"
    refused = subprocess.run(f"ip -n {probe} link set lo up && ip -n {probe} link add p0 type veth peer name p1 && "
                             f"ip netns exec {probe} tc qdisc add dev p0 root tbf rate 100mbit burst 256kb latency 50ms && "
                             f"ip netns exec {probe} unshare --uts true",
                             shell=True, capture_output=True, check=False).returncode
    subprocess.run(["ip", "netns", "del", probe], capture_output=True, check=False)
    return "this machine does not allow veth, tbf or host names of their own" if refused else ""


def processes_in(namespace):
    """Returns the ids of all processes in the network namespace."""
    listed = subprocess.run(["ip", "netns", "pids", namespace], capture_output=True, text=True, check=False).stdout
    return [int(i) for i in listed.split()]


def name_of(process):
    try:
        return Path(f"/proc/{process}/comm").read_text(encoding="utf-8").strip()
    except OSError:  # it has ended
        return ""


def kill_processes(namespace):
    end = time.monotonic() + 10
    while (ids := processes_in(namespace)) and time.monotonic() < end:
        for i in ids:
            try:
                os.kill(i, signal.SIGKILL)
            except ProcessLookupError:
                pass  # it ended meanwhile
        time.sleep(0.02)


def remove(namespace):
    """Kills all processes in the network namespace, and deletes the namespace with its end of the cable."""
    kill_processes(namespace)
    subprocess.run(["ip", "netns", "del", namespace], check=False, capture_output=True)


def remove_abandoned():
    """Removes the namespaces of earlier Python processes that were killed, so that they could not do it themselves."""
    listed = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=False).stdout
    for name, owner in re.findall(r"^(softalign-(\d+)-[\w-]+)", listed, re.M):
        if not Path(f"/proc/{owner}").exists():
            remove(name)


class Hosts:
    """Two hosts a and b, until the end of the `with` block, or of the Python process if an exception prevents that end.
    Then all processes on the two hosts are killed."""

    made = 0  # number of pairs of hosts that this Python process has made

    def __init__(self, rate=None):
        self.rate = rate  # in the syntax of tc, for example 100mbit; None: as fast as the kernel

    def __enter__(self):
        remove_abandoned()
        Hosts.made += 1
        self.prefix = f"softalign-{os.getpid()}-{Hosts.made}"
        self.folder = tempfile.TemporaryDirectory(prefix="softalign-hosts-")
        atexit.register(self.close)
        try:
            return self.make()
        except BaseException:
            self.close()
            raise

    def __exit__(self, *_):
        self.close()

    def close(self):
        atexit.unregister(self.close)
        for host in "ab":
            remove(self.namespace(host))
        self.folder.cleanup()

    def make(self):
        ip = lambda *words: subprocess.run(["ip", *words], check=True, capture_output=True)  # noqa: E731
        for host in "ab":
            ip("netns", "add", self.namespace(host))
            ip("-n", self.namespace(host), "link", "set", "lo", "up")
        ip("link", "add", "cable", "netns", self.namespace("a"), "type", "veth", "peer", "name", "cable", "netns", self.namespace("b"))
        for place, host in enumerate("ab", 1):
            ip("-n", self.namespace(host), "addr", "add", f"{NET}.{place}/24", "dev", "cable")
            ip("-n", self.namespace(host), "link", "set", "cable", "up")
        if self.rate:
            self.limit(self.rate)
        folder = Path(self.folder.name)
        (folder / "hosts").write_text(f"{NET}.1 slots=1\n{NET}.2 slots=1\n")
        # mpirun calls this instead of ssh, as "agent ADDRESS COMMAND...".
        agent = folder / "agent"
        agent.write_text(f'#!/bin/sh\ncase $1 in {NET}.1) host=a ;; *) host=b ;; esac\nshift\n'
                         f'exec ip netns exec {self.prefix}-$host unshare --uts sh -c "hostname host-$host; exec $*"\n')
        agent.chmod(0o755)
        return self

    def namespace(self, host):
        return f"{self.prefix}-{host}"

    def on(self, host, *words):
        """Returns the arguments for subprocess that run a command on the host."""
        return ["ip", "netns", "exec", self.namespace(host), "unshare", "--uts", "sh", "-c", f'hostname host-{host}; exec "$@"', "sh", *map(str, words)]

    def limit(self, rate):
        """Gives the cable another rate. None means as fast as the kernel. Returns how many seconds a burst saves: a cable that
        was idle sends a burst at once."""
        if rate is None:
            for host in "ab":
                subprocess.run(self.on(host, "tc", "qdisc", "del", "dev", "cable", "root"), check=False, capture_output=True)
            return 0
        # The kernel's timer needs a burst of 2 ms. A burst is no shorter than a packet.
        bits = float(rate.removesuffix("mbit")) * 1e6 if rate.endswith("mbit") else float(rate.removesuffix("gbit")) * 1e9
        burst = max(int(bits / 8 * 0.002), 70_000)
        for host in "ab":
            subprocess.run(self.on(host, "tc", "qdisc", "replace", "dev", "cable", "root", "tbf", "rate", rate, "burst", burst, "latency", "50ms"),
                           check=True, capture_output=True)
        return burst * 8 / bits

    def cut(self):
        subprocess.run(["ip", "-n", self.namespace("b"), "link", "set", "cable", "down"], check=True)

    def mend(self):
        subprocess.run(["ip", "-n", self.namespace("b"), "link", "set", "cable", "up"], check=True)

    def kill(self, host):
        """Kills all processes of the host, as if it had lost its power."""
        kill_processes(self.namespace(host))

    def processes(self, host, name):
        """Returns the ids of the host's processes with this name."""
        return [i for i in processes_in(self.namespace(host)) if name_of(i) == name]

    def command(self, *words, **more):
        """Returns the command that starts mpirun on host a, with one process of the command on each host. `more` are
        parameters of Open MPI."""
        folder = Path(self.folder.name)
        settings = {"plm_rsh_agent": folder / "agent", "btl": "tcp,self", "btl_tcp_if_include": f"{NET}.0/24",
                    "oob_tcp_if_include": f"{NET}.0/24", "orte_tmpdir_base": folder}
        options = [word for name, value in {**settings, **more}.items() for word in ("--mca", name, value)]
        return self.on("a", "mpirun", "--allow-run-as-root", "-n", "2", "--bind-to", "none", "--hostfile", folder / "hosts", *options, *words)

    def measure(self, seconds=2.0):
        """Measures the cable between two programs: bytes per second in each direction while both send, and seconds for one
        small message."""
        script = [sys.executable, str(Path(__file__).resolve()), "--peer"]
        with subprocess.Popen(self.on("b", *script, "listen", seconds), stdout=subprocess.PIPE, text=True) as listener:
            listener.stdout.readline()
            result = subprocess.run(self.on("a", *script, "connect", seconds), capture_output=True, text=True, check=True).stdout.split()
        return float(result[0]), float(result[1])


def peer(side, seconds):
    """One end of measure(). Both ends first exchange small messages, then send as much as they can."""
    if side == "listen":
        server = socket.create_server((f"{NET}.2", 7700))
        print("ready", flush=True)
        connection, _ = server.accept()
    else:
        connection = socket.create_connection((f"{NET}.2", 7700))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    rounds, begin = 300, time.perf_counter()
    for _ in range(rounds):
        if side == "connect":
            connection.sendall(b"x")
        connection.recv(1)
        if side == "listen":
            connection.sendall(b"x")
    latency = (time.perf_counter() - begin) / rounds / 2
    import threading
    end = time.perf_counter() + seconds

    def send():
        block = bytes(1 << 18)
        while time.perf_counter() < end:
            connection.sendall(block)
        connection.shutdown(socket.SHUT_WR)
    sender = threading.Thread(target=send)
    sender.start()
    received, begin = 0, time.perf_counter()
    while block := connection.recv(1 << 18):
        received += len(block)
    rate = received / (time.perf_counter() - begin)
    sender.join()
    if side == "connect":
        print(rate, latency)


def main():
    if sys.argv[1:2] == ["--peer"]:
        return peer(sys.argv[2], float(sys.argv[3]))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rate", help="rate of the cable as tc writes it, for example 100mbit or 1gbit; without it, the kernel's own speed")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    if missing():
        sys.exit(missing())
    with Hosts(arguments.rate) as hosts:
        return subprocess.run(hosts.command(*arguments.command), check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
