import { closeSync } from "node:fs";
import { reasonOf } from "../errors/reason-of.js";
import { Sockets } from "../ffi/sockets.js";
import type { BackendProbe } from "../select/backend.js";

/** Listens at a free loopback port for a moment, over IPv4 and over IPv6. */
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
        problem = reasonOf(error);
      }
    }
  } catch (error) {
    problem = reasonOf(error);
  }
  if (families.length === 0) return { usable: false, details: `no socket can listen: ${problem}` };
  return { usable: true, details: `sockets over ${families.join(" and ")}` };
}
