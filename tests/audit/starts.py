"""Runs one start of a program under limits, signals and streams of all kinds, and checks the promises of every start."""

import fcntl
import os
import pty
import re
import resource
import select
import shlex
import signal
import struct
import subprocess
import termios
import time
from dataclasses import dataclass, field
from pathlib import Path

import sandbox

SOFT, HARD = 25.0, 45.0  # seconds of wall-clock time: SIGTERM comes first, then the start counts as hanging
GIGABYTE = 1 << 30
SANITIZED = "sanitize" in str(sandbox.BUILD)
NEVER_SAID = re.compile(rb"AddressSanitizer|LeakSanitizer|ThreadSanitizer|runtime error:|terminate called|what\(\):|std::|json\.exception|"
                        rb"basic_string|_M_range_check|vector::|Assertion|core dumped|Segmentation fault|Unexpected exception|stack smashing|"
                        rb"corrupted|double free|CLI::")
KNOWN_SEQUENCES = re.compile(rb"\x1b\[[0-9;]*m|\x1b\[[0-9]*K|\x1b\[[0-9]*[ABCDG]|\x1b\[\?25[hl]|\x1b\[\?2004[hl]")
CONTROLS = re.compile("[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]")


@dataclass
class Start:
    """A start: a program, its arguments and its environment. Paths are relative to the sandbox, in which the program
    runs."""
    program: str
    arguments: list
    outs: list = field(default_factory=list)      # files and folders that it may write
    foreign: list = field(default_factory=list)   # paths below `outs` that it may not touch
    stdin: object = None                          # a file of the sandbox, bytes, or "closed"
    environment: dict = field(default_factory=dict)
    limits: dict = field(default_factory=dict)    # resource.RLIMIT_...: value
    signals: list = field(default_factory=list)   # (seconds, signal)
    stdout: str = "file"                          # file, closed, full, pipe (closed at once), read-only
    stderr: str = "file"
    terminal: bool = False
    long: bool = False                            # may run until the limit, and must then end on SIGTERM
    large: bool = False                           # may take much memory
    then: object = None                           # called afterwards with the sandbox and the exit status; returns a complaint
    expect: object = None                         # the only exit statuses that are allowed

    def shown(self):
        extra = " ".join(f"{key}={shlex.quote(value)}" for key, value in self.environment.items())
        text = f"{extra} {self.program} " + shlex.join(map(str, self.arguments))
        if isinstance(self.stdin, bytes):
            text += f" < stdin ({len(self.stdin)} bytes)"
        elif self.stdin:
            text += f" < {self.stdin}"
        text += "".join(f" [{name} {value}]" for name, value in (
            ("limits", {limit_names().get(k, k): v for k, v in self.limits.items()} or ""), ("signals", self.signals or ""),
            ("stdout", self.stdout if self.stdout != "file" else ""), ("stderr", self.stderr if self.stderr != "file" else ""),
            ("on a terminal", "." if self.terminal else "")) if value)
        return text.strip()


def limit_names():
    return {value: name for name, value in vars(resource).items() if name.startswith("RLIMIT_")}


def prepared(start):
    def before():
        for number in range(1, 32):
            if number not in (signal.SIGKILL, signal.SIGSTOP):
                try:
                    signal.signal(number, signal.SIG_DFL)
                except (OSError, ValueError):
                    pass
        os.setpgid(0, 0)
        limits = dict(start.limits)
        limits.setdefault(resource.RLIMIT_FSIZE, 1 << 29)
        limits.setdefault(resource.RLIMIT_CORE, 0)
        if not SANITIZED:
            limits.setdefault(resource.RLIMIT_AS, 6 * GIGABYTE)
        for name, value in limits.items():
            resource.setrlimit(name, (value, value))
        for number, how in ((0, start.stdin), (1, start.stdout), (2, start.stderr)):
            if how == "closed":
                os.close(number)
    return before


@dataclass
class End:
    status: int
    out: bytes
    said: bytes
    seconds: float
    cpu: float
    megabytes: float
    sent: list
    late: bool  # it ended only after SIGTERM


def run(start, folder):
    """Runs a start in this folder. Returns its end."""
    out, said = folder.parent / "stdout", folder.parent / "stderr"
    opened = []

    def opening(path, mode):
        opened.append(open(path, mode))
        return opened[-1]

    def output(how, path):
        if how == "full":
            return opening("/dev/full", "wb")
        if how == "read-only":
            return opening("/dev/null", "rb")
        if how == "pipe":
            reading, writing = os.pipe()
            os.close(reading)
            opened.append(os.fdopen(writing, "wb", buffering=0))
            return opened[-1]
        return opening(path, "wb")

    if isinstance(start.stdin, bytes):
        (folder.parent / "stdin").write_bytes(start.stdin)
        source = opening(folder.parent / "stdin", "rb")
    elif start.stdin and start.stdin != "closed":
        source = opening(folder / start.stdin, "rb")
    else:
        source = subprocess.DEVNULL
    ours = None
    if start.terminal:
        ours, its = pty.openpty()
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        streams = {"stdout": its, "stderr": its}
        for path in (out, said):
            path.write_bytes(b"")
    else:
        streams = {"stdout": output(start.stdout, out), "stderr": output(start.stderr, said)}
        for path in (out, said):
            if not path.exists():
                path.write_bytes(b"")
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(folder), "OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive", "LC_ALL": "C.UTF-8",
                   "ASAN_OPTIONS": "allocator_may_return_null=1", "LLVM_PROFILE_FILE": os.environ.get("LLVM_PROFILE_FILE"),
                   **start.environment}
    environment = {key: value for key, value in environment.items() if value is not None}
    begin = time.monotonic()
    process = subprocess.Popen([sandbox.BUILD / start.program, *map(str, start.arguments)], cwd=folder, stdin=source, env=environment,
                               preexec_fn=prepared(start), close_fds=True, **streams)
    shown = b""
    if ours is not None:
        os.close(its)
    pending, sent, late, pause = sorted(start.signals, key=lambda pair: pair[0]), [], False, 0.001
    limit = SOFT
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        elapsed = time.monotonic() - begin
        if pending and elapsed >= pending[0][0]:
            number = pending.pop(0)[1]
            os.kill(process.pid, number)
            sent.append(int(number))
            continue
        if elapsed > HARD:
            os.killpg(process.pid, signal.SIGKILL)
            sent.append(int(signal.SIGKILL))
            _, status, usage = os.wait4(process.pid, 0)
            late = True
            break
        if elapsed > (8 if start.long else limit) and not late:
            os.kill(process.pid, signal.SIGTERM)
            sent.append(int(signal.SIGTERM))
            late = True
        wait = min(pause, pending[0][0] - elapsed if pending else 1)
        if ours is not None:
            if select.select([ours], [], [], max(wait, 0))[0]:
                try:
                    shown += os.read(ours, 1 << 16)
                except OSError:
                    time.sleep(max(wait, 0))
        else:
            time.sleep(max(wait, 0))
        pause = min(pause * 1.5, 0.02)
    process.returncode = os.waitstatus_to_exitcode(status)
    if ours is not None:
        while select.select([ours], [], [], 0)[0]:
            try:
                part = os.read(ours, 1 << 16)
            except OSError:
                break
            if not part:
                break
            shown += part
        os.close(ours)
    for file in opened:
        try:
            file.close()
        except OSError:
            pass
    said_bytes = shown if start.terminal else said.read_bytes()
    return End(process.returncode, shown if start.terminal else out.read_bytes()[:1 << 22], said_bytes, time.monotonic() - begin,
               usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, sent, late)


def within(path, folders):
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)


def leftovers(changed, outs):
    """Returns the new files that no output may leave."""
    return [path for path in changed if not within(path, outs) and not any(
        re.fullmatch(re.escape(out) + r"\.tmp-softalign-\d+-\d+", path) for out in outs)]


def judge(start, end, before, after):
    """Returns (outcome, complaints). A complaint names a promise that the start broke."""
    complaints = []
    ours = {-number for number in end.sent} | ({-signal.SIGXCPU, -signal.SIGKILL} if resource.RLIMIT_CPU in start.limits else set()) \
        | ({-signal.SIGPIPE} if start.stdout == "pipe" or start.stderr == "pipe" else set())
    allowed = {0, 1, 2} | ours | ({130} if any(s in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) for s in end.sent) else set())
    if start.expect is not None:
        allowed &= set(start.expect) | ours
    if start.limits and end.status == 127 and b"error while loading shared libraries" in end.said:
        return "refused (1)", []  # the system's loader could not load the libraries
    if end.status not in allowed:
        complaints.append(f"it ended with {end.status}")
    if signal.SIGKILL in end.sent and (signal.SIGKILL not in [s for _, s in start.signals]):
        complaints.append("it hangs: SIGTERM did not end it either")
    elif end.late and not start.long:
        complaints.append(f"it took longer than {SOFT:.0f} s")
    elif end.cpu > 20 and not start.long:
        complaints.append(f"it took {end.cpu:.0f} s of the processor")
    if end.megabytes > (6000 if start.large else 1000) and not SANITIZED:
        complaints.append(f"it took {end.megabytes:.0f} MB")
    for stream in {end.out[-20000:], end.said}:
        found = NEVER_SAID.search(stream)
        if found:
            complaints.append(f"it says {found.group(0)!r}")
    refused = end.status in (1, 2)
    text = end.said.decode("utf-8", "replace")
    whole = len(end.said) < start.limits.get(resource.RLIMIT_FSIZE, 1 << 29)  # the limit on file sizes also cuts the messages
    if start.stderr == "file" and whole:
        errors = len(re.findall(r"(?:^|[\n\r])(?:\x1b\[[0-9;]*m)*error: (?=\S)", text))
        if refused and errors != 1:
            complaints.append(f"exit status {end.status} with {errors} errors")
        if end.status == 0 and errors:
            complaints.append("exit status 0 with an error")
        if refused and not start.terminal and len(end.said) > 8000:
            complaints.append(f"a message of {len(end.said)} bytes")
        if re.search(r"error: .{0,40}(Success|Unknown error|not an error)\b", text):
            complaints.append("an error without a cause")
    if start.terminal:
        plain = KNOWN_SEQUENCES.sub(b"", end.said).replace(b"\r", b"").decode("utf-8", "replace")
        found = CONTROLS.search(plain)
        if found:
            complaints.append(f"U+{ord(found.group(0)):04X} reaches the terminal: {plain[max(0, found.start() - 30):found.start() + 10]!r}")
    # Files.
    gone = [path for path in before if path not in after]
    changed = [path for path in before if path in after and before[path] != after[path]]
    came = [path for path in after if path not in before]
    wrong = [path for path in gone + changed if not within(path, start.outs) or within(path, start.foreign)]
    if wrong:
        complaints.append(f"files that it was not to touch are gone or others: {wrong[:4]}")
    strange = leftovers(came, start.outs)
    if strange:
        complaints.append(f"files came beside the outputs: {strange[:4]}")
    killed = end.status < 0 or end.status == 130
    if refused and not killed and not end.sent:
        news = [path for path in came + changed if within(path, start.outs) and "diverged.safetensors" not in path and start.program != "reproduce"]
        temporary = [path for path in news if re.search(r"\.tmp-softalign-\d+-\d+$", path)]
        if temporary:
            complaints.append(f"a refusal leaves {temporary[:3]}")
        files = [path for path in news if path in start.outs and start.program not in ("train", "average", "make_corpus", "reproduce")]
        if files and start.stdout == "file":  # the program keeps what it wrote before its output was lost
            complaints.append(f"a refusal leaves the output {files[:3]}")
    outcome = "stopped" if end.sent or killed else {0: "done", 1: "refused (1)", 2: "refused (2)"}.get(end.status, "other")
    return outcome, complaints


def check_gone_on(base, folder, end):
    """Resumes a stopped training. Its files must equal those of a training that was never stopped."""
    out = Path("out")
    if not (folder / out / "last.safetensors").exists():
        return None
    done = subprocess.run([sandbox.BUILD / "train", "--resume", "--out", out], cwd=folder, capture_output=True, stdin=subprocess.DEVNULL,
                          timeout=120, check=False, env={"PATH": os.environ.get("PATH", ""), "OMP_NUM_THREADS": "2"})
    text = done.stderr.decode(errors="replace")
    if done.returncode != 0:
        return f"going on ended with {done.returncode}: {text[-300:]}"
    for name in ("model.safetensors", "last.safetensors", "metrics.jsonl", "history.jsonl", "config.json"):
        if (folder / out / name).read_bytes() != (base / "undisturbed" / name).read_bytes():
            return f"gone on with, {name} is another than of a training that was left alone"
    leavings = [path.name for path in (folder / out).iterdir() if ".tmp" in path.name]
    return f"gone on with, it leaves {leavings}" if leavings else None
