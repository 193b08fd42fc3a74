/**
 * What Slurm and Kubernetes tell a process about its place in the job. It fills in `COBRE_TCP_*`
 * variables that are not set, once `tcp` has been chosen. Nothing here makes `auto` choose `tcp`.
 */
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { parseOptionalNumber } from "../group/settings.js";
import type { Environment } from "../select/backend.js";

/** As much of a process's place as the cluster tells. */
interface ClusterPlace {
  readonly rank?: number | undefined;
  readonly size?: number | undefined;
  readonly coordinator?: string | undefined;
}

export function placeFromCluster(env: Environment, host = hostname()): ClusterPlace {
  if (env.SLURM_PROCID !== undefined) {
    const nodes = env.SLURM_STEP_NODELIST ?? env.SLURM_NODELIST ?? env.SLURM_JOB_NODELIST;
    return {
      rank: parseOptionalNumber(env.SLURM_PROCID),
      size: parseOptionalNumber(env.SLURM_STEP_NUM_TASKS ?? env.SLURM_NTASKS),
      // Slurm assigns tasks to the nodes in order, so task 0 runs on the first.
      coordinator: nodes === undefined ? undefined : firstSlurmNode(nodes),
    };
  }
  if (env.JOB_COMPLETION_INDEX !== undefined) {
    const index = env.JOB_COMPLETION_INDEX;
    return {
      rank: parseOptionalNumber(index),
      coordinator: firstPod(host, index, ownFullName(host)),
    };
  }
  return {};
}

/** The first node of a list: `node03` for `node[03-08,12],gpu1`. */
export function firstSlurmNode(list: string): string {
  const first = /^[^,[]*(?:\[[^\]]*\][^,[]*)*/.exec(list)?.[0] ?? list;
  return first.replace(/\[(\w+)[^\]]*\]/g, "$1");
}

/**
 * Kubernetes names the pods of an indexed job `job-0`, `job-1` and so on. With a headless service as
 * their subdomain, pods can find each other by their full names.
 */
export function firstPod(host: string, index: string, fullName: string): string | undefined {
  const suffix = `-${index}`;
  if (!host.endsWith(suffix)) return undefined;
  const domain = fullName.startsWith(`${host}.`) ? fullName.slice(host.length) : "";
  return `${host.slice(0, -suffix.length)}-0${domain}`;
}

/** Kubernetes writes a pod's full name into its /etc/hosts. */
function ownFullName(host: string): string {
  try {
    const names = readFileSync("/etc/hosts", "utf8").split(/\s+/);
    return names.find((name) => name.startsWith(`${host}.`)) ?? host;
  } catch {
    return host;
  }
}
