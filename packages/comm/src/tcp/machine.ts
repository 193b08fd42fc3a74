import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/** A number that all processes of one machine share, even in different containers. */
export function machineNumber(): bigint {
  const digest = createHash("sha256").update(bootIdentity()).digest();
  return digest.readBigUInt64LE(0);
}

function bootIdentity(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8");
  } catch {
    return hostname();
  }
}
