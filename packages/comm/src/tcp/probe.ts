import { closeSync } from "node:fs";
import { Sockets } from "../ffi/sockets.js";
import type { BackendProbe } from "../select/backend.js";

/** Listens on a free port of this machine alone, and lets go of it again. */
export async function tryListening(): Promise<BackendProbe> {
  const families: string[] = [];
  let problem = "";
  try {
    const sockets = await Sockets.load();
    for (const [host, name] of [
      ["127.0.0.1", "IPv4"],
      ["::1", "IPv6"],
    ] as const) {
      try {
        closeSync(sockets.listen({ host, port: 0 }));
        families.push(name);
      } catch (error) {
        problem = error instanceof Error ? error.message : String(error);
      }
    }
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  if (families.length === 0) return { usable: false, details: `no socket can listen: ${problem}` };
  return { usable: true, details: `sockets over ${families.join(" and ")}` };
}
