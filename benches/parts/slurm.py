#!/usr/bin/env python3
"""The jobs of the pages, as they are printed there, by a Slurm of four nodes on one machine.

    sudo benches/parts/slurm.py TOPOI [--only "let be,a node lost"]

TOPOI is a program with the feature `mpi`. A job is submitted and let be; then again, with a node lost, with its time up, and
cancelled, each while topics are being found; then the array of docs/guide/runs.md. Prints a Markdown table: what became of
the job and its run, seconds, and whether the topics are those of the undisturbed job to the bit.

Needs root, and from Debian slurmctld, slurmd, munge and Open MPI. A node is a mount namespace with a /tmp and a /local of its
own; all have this machine's processors, and say that they have 16.
"""
import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from open_mpi import IN_CONTAINERS

TOP = Path(__file__).resolve().parents[2]
NODES = [f"node{number}" for number in range(1, 5)]
#: The stage of the run in which a job is disturbed.
STAGE = "rectify"
CONFIGURATION = """
ClusterName=here
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort=17000
SlurmUser=root
AuthType=auth/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
SlurmdTimeout=10
KillWait=5
MpiDefault=none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
NodeName=node[1-4] NodeHostname={host} NodeAddr=127.0.0.1 Port=[17001-17004] CPUs=16 RealMemory=64000
PartitionName=all Nodes=node[1-4] Default=YES MaxTime=INFINITE State=UP
"""


def block(page, holding):
    """The block of code in a page of docs that has a line."""
    blocks = re.findall(r"^```(?:sh|text)\n(.*?)^```", (TOP / "docs" / page).read_text(), re.M | re.S)
    return next(text for text in blocks if holding in text)


def until(is_so, what, seconds=300):
    begun = time.monotonic()
    while not (found := is_so()):
        if time.monotonic() - begun > seconds:
            raise SystemExit(f"error: not within {seconds} s: {what}")
        time.sleep(0.2)
    return found


class Cluster:
    def __init__(self, folder, topoi):
        self.folder, self.home = folder, folder / "home"
        for name in ["home", "state", "bin", *[f"spool.{node}" for node in NODES]]:
            (folder / name).mkdir()
        (folder / "bin/topoi").symlink_to(topoi)
        configuration = folder / "slurm.conf"
        host = os.uname().nodename.split(".")[0]
        configuration.write_text(CONFIGURATION.format(folder=folder, host=host))
        hosts = folder / "hosts"
        hosts.write_text(Path("/etc/hosts").read_text() + f"127.0.0.1 {' '.join(NODES)}\n")
        keep = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM", "TOPOI", "XDG"))}
        self.environment = {
            **keep, "SLURM_CONF": str(configuration), "HOME": str(self.home), "USER": "ada", "TMPDIR": "/tmp",
            "PATH": f"{folder}/bin:{os.environ['PATH']}", "BASH_FUNC_module%%": "() { :; }",
            # Processes that wait for each other share two processors here.
            "OMPI_MCA_mpi_yield_when_idle": "1", **IN_CONTAINERS,
        }
        if self.tried("munge", "-n").returncode:
            Path("/run/munge").mkdir(exist_ok=True)
            shutil.chown("/run/munge", "munge")
            self.sh("runuser", "-u", "munge", "--", "munged", "--force")
        self.daemons = {}
        self.start("slurmctld", "slurmctld", "-D", "-i")
        for node in NODES:
            self.start_node(node)
        idle = ["sinfo", "-h", "-t", "idle", "-o", "%D"]
        until(lambda: self.tried(*idle).stdout.strip() == str(len(NODES)), "idle nodes", 60)

    def start(self, name, *command):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.daemons[name] = subprocess.Popen(command, env=self.environment, start_new_session=True, **quiet)

    def start_node(self, node):
        inside = (
            "mkdir -p /local && mount -t tmpfs tmpfs /tmp && mount -t tmpfs tmpfs /local"
            f" && mount --bind {self.folder}/hosts /etc/hosts && exec slurmd -N {node} -D"
        )
        self.start(node, "unshare", "--mount", "sh", "-c", inside)

    def processes_of(self, node):
        """All processes of a node, its slurmd too."""
        place = os.readlink(f"/proc/{self.daemons[node].pid}/ns/mnt")
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.readlink(f"/proc/{process}/ns/mnt") == place:
                    yield int(process)
            except OSError:
                pass

    def lose(self, node):
        for process in list(self.processes_of(node)):
            os.kill(process, signal.SIGKILL)
        self.daemons[node].wait()

    def left_behind(self):
        """Processes of topoi and files in /local on any node."""
        found = []
        for node in NODES:
            for process in self.processes_of(node):
                name = Path(f"/proc/{process}/comm").read_text().strip()
                found += [f"{name} on {node}"] if name == "topoi" else []
            found += [f"{path.name} on {node}" for path in Path(f"/proc/{self.daemons[node].pid}/root/local").iterdir()]
        return found

    def tried(self, *command):
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, env=self.environment)

    def sh(self, *command):
        made = self.tried(*command)
        if made.returncode:
            raise SystemExit(f"error: {' '.join(map(str, command))}\n{made.stderr}")
        return made.stdout

    def topoi(self, *words):
        return self.sh("topoi", "--store", self.home / "topoi.db", *words)

    def asked(self, sql):
        rows = json.loads(self.topoi("sql", sql, "-o", "json"))
        return rows[0] if rows else {}

    def submit(self, text, *options):
        (self.home / "job.sh").write_text(text)
        return int(self.sh("sbatch", "--parsable", f"--chdir={self.home}", *options, self.home / "job.sh"))

    def state(self, job):
        states = re.findall(r"JobState=(\w+)", self.tried("scontrol", "show", "job", job).stdout)
        return states[0] if len(set(states)) == 1 else ",".join(sorted(set(states)))

    def close(self):
        self.tried("scancel", "--full", "--user=root")
        for node in NODES:
            self.lose(node)
        self.daemons["slurmctld"].terminate()
        self.daemons["slurmctld"].wait()


OVER = {"COMPLETED", "FAILED", "CANCELLED", "NODE_FAIL", "TIMEOUT"}


def at_stage(cluster, name):
    running = "SELECT stage FROM run_progress JOIN run ON run.id = run_id WHERE status = 'running' AND run_name = '{}'"
    until(lambda: cluster.asked(running.format(name)).get("stage") == STAGE, f"stage {STAGE} of {name}")


def in_parts(cluster, disturb):
    """Submits the job of docs/reference/parts.md and disturbs it; its state, its run's, the run's hash, and seconds."""
    begun = time.monotonic()
    job = cluster.submit(block("reference/parts.md", "#SBATCH --nodes=4"))
    name = f"nyt-{job}"
    if disturb:
        at_stage(cluster, name)
        disturb(cluster, job)
    def over():
        state = cluster.state(job)
        if state == "PENDING":
            # A job that goes into the queue again waits there for two minutes otherwise.
            cluster.tried("scontrol", "update", f"jobid={job}", "begintime=now")
        return state if state in OVER else None

    state = until(over, f"the end of job {job}", 900)
    run = cluster.asked(f"SELECT status, hex(result_hash) AS hash FROM run WHERE run_name = '{name}'")
    return state, run.get("status"), run.get("hash"), time.monotonic() - begun


def lose_a_node(cluster, job):
    cluster.lose("node3")
    until(lambda: cluster.state(job) != "RUNNING", "the loss is seen")
    # A step of the same number does not start beside what the killed one left there.
    shutil.rmtree(cluster.folder / "spool.node3")
    (cluster.folder / "spool.node3").mkdir()
    cluster.start_node("node3")


def time_is_up(cluster, job):
    # What Slurm sends to the script when its time is nearly up.
    cluster.sh("scancel", "--batch", "--signal=TERM", job)
    until(lambda: cluster.state(job) != "RUNNING", "the job waits again")


def cancel(cluster, job):
    cluster.sh("scancel", job)


CASES = {"let be": None, "a node lost": lose_a_node, "time up": time_is_up, "cancelled": cancel}


def array(cluster):
    begun = time.monotonic()
    shutil.copy(cluster.home / "topoi.db", cluster.home / "papers.db")
    text = block("guide/runs.md", "#SBATCH --array").replace("run papers", "run nyt")
    job = cluster.submit(text)
    state = until(lambda: (state := cluster.state(job)) in OVER and state, f"the end of array {job}", 900)
    exports = sorted(path.name for path in cluster.home.glob("papers-*"))
    return state, " ".join(exports), time.monotonic() - begun


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("topoi", type=Path)
    parser.add_argument("--only", default=",".join([*CASES, "an array"]))
    options = parser.parse_args()
    # Not in /tmp, of which each node has its own.
    folder = Path(tempfile.mkdtemp(dir="/var/tmp"))
    cluster = Cluster(folder, options.topoi.resolve())
    try:
        made = "synth lda --documents 30000 --words 2500 -k 100 --tokens 60 --beta 0.05 --name nyt --into"
        cluster.topoi(*made.split(), folder / "texts")
        cluster.topoi("ingest", "nyt", folder / "texts/docword.nyt.txt")
        cluster.topoi("shard", "nyt", "--parts", len(NODES), "--into", cluster.home / "nyt")
        print("| the job | ended as | its run | same bits | seconds | left behind |")
        print("| --- | --- | --- | --- | ---: | --- |")
        first = None
        for name, disturb in CASES.items():
            if name not in options.only.split(","):
                continue
            state, status, found, seconds = in_parts(cluster, disturb)
            first = first or found
            same = "–" if status != "finished" else "yes" if found == first else "no"
            time.sleep(2)
            left = ", ".join(cluster.left_behind()) or "nothing"
            print(f"| {name} | {state} | {status} | {same} | {seconds:.0f} | {left} |", flush=True)
        if "an array" in options.only.split(","):
            state, exports, seconds = array(cluster)
            print(f"| an array | {state} | {exports} | – | {seconds:.0f} | nothing |", flush=True)
    finally:
        cluster.close()
        if "KEEP" in os.environ:
            print(f"all is in {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
