/**
 * A process that ends must tell its groups: nobody may wait for it in vain. What SIGKILL leaves
 * unsaid, the kernel says by releasing the process's locks.
 */
import type { Membership } from "./membership.js";

const open = new Set<Membership>();
let listening = false;

/** From now on, the end of this process is the end of this membership. */
export function remember(membership: Membership): void {
  open.add(membership);
  if (listening) return;
  listening = true;
  process.on("uncaughtExceptionMonitor", (error) => {
    // A program that handles such exceptions itself goes on.
    if (process.listenerCount("uncaughtException") > 0) return;
    abandonAll(`uncaught ${error instanceof Error ? `${error.name}: ${error.message}` : error}`);
  });
  process.on("exit", (code) => {
    if (code !== 0) abandonAll(`it exited with code ${code}`);
    for (const membership of open) membership.close();
  });
}

export function forget(membership: Membership): void {
  open.delete(membership);
}

function abandonAll(reason: string): void {
  for (const membership of open) membership.abandon(reason);
}
