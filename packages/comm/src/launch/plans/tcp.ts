import { randomBytes } from "node:crypto";
import { closeSync } from "node:fs";
import { Sockets } from "../../ffi/sockets.js";
import type { LaunchPlan } from "../plan.js";

/**
 * Ranks that meet at a socket that listens before any of them starts, so that no other process can take
 * the port. Only this machine can reach it, and only processes that know the token can join.
 */
export async function planTcp(ranks: number): Promise<LaunchPlan> {
  const sockets = await Sockets.load();
  const listener = sockets.listen({ host: "127.0.0.1", port: 0 });
  const { port } = sockets.localAddress(listener);
  const token = randomBytes(16).toString("hex");
  let isOpen = true;
  const letGo = () => {
    if (isOpen) closeSync(listener);
    isOpen = false;
  };
  return {
    backend: "tcp",
    environment: (rank) => ({
      COBRE_COMM_BACKEND: "tcp",
      COBRE_TCP_RANK: String(rank),
      COBRE_TCP_SIZE: String(ranks),
      COBRE_TCP_TOKEN: token,
      COBRE_TCP_PORT: String(port),
      ...(rank === 0 ? { COBRE_TCP_LISTEN_FD: "3" } : { COBRE_TCP_COORDINATOR: "127.0.0.1" }),
    }),
    descriptors: (rank) => (rank === 0 ? [listener] : []),
    handedOver: letGo,
    close: letGo,
  };
}
