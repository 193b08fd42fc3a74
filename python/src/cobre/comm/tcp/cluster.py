"""Rank, size and coordinator from Slurm or Kubernetes, if our variables do not give them."""

from __future__ import annotations

import re
import socket

from ..settings import Environment


def place_from_cluster(environment: Environment, host: str | None = None) -> dict[str, object]:
    """The settings that can be derived from the cluster."""
    own = socket.gethostname() if host is None else host
    if "SLURM_PROCID" in environment:
        place: dict[str, object] = {"rank": environment["SLURM_PROCID"]}
        for variable in ("SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"):
            if variable in environment:
                place.setdefault("size", environment[variable])
        for variable in ("SLURM_STEP_NODELIST", "SLURM_NODELIST", "SLURM_JOB_NODELIST"):
            if variable in environment:
                # Slurm assigns tasks to the nodes in order, so task 0 runs on the first node.
                place.setdefault("coordinator", first_slurm_node(environment[variable]))
        return place
    if "JOB_COMPLETION_INDEX" in environment:
        index = environment["JOB_COMPLETION_INDEX"]
        pod = first_pod(own, index, _own_full_name(own))
        return {"rank": index, "coordinator": pod}
    return {}


def first_slurm_node(nodes: str) -> str:
    """The first of ``node[03-08,12],gpu1``: ``node03``."""
    first = re.match(r"[^,\[]*(?:\[[^\]]*\][^,\[]*)*", nodes)
    return re.sub(r"\[(\w+)[^\]]*\]", r"\1", first.group() if first else nodes)


def first_pod(host: str, index: str, full_name: str) -> str | None:
    """The full name of pod 0 of an indexed job whose pod ``index`` has the given names."""
    suffix = f"-{index}"
    if not host.endswith(suffix):
        return None
    domain = full_name[len(host) :] if full_name.startswith(f"{host}.") else ""
    return f"{host[: -len(suffix)]}-0{domain}"


def _own_full_name(host: str) -> str:
    """Kubernetes writes a pod's full name into its /etc/hosts."""
    try:
        with open("/etc/hosts", encoding="utf-8") as file:
            names = file.read().split()
    except OSError:
        return host
    return next((name for name in names if name.startswith(f"{host}.")), host)
