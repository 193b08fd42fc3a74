/**
 * A process that ends must tell its groups, so that no rank waits for it in vain. After SIGKILL the
 * kernel does it: it releases locks and closes connections.
 */

/** How a process ends badly: with an exit code other than 0, or by an uncaught exception. */
export type Ending =
  | { readonly exitCode: number }
  | { readonly exitCode: 1; readonly error: unknown };

/** A membership that can be given up. */
export interface Leaving {
  /** Tells the others to stop, because this process ends badly. */
  abandon(reason: string, ending: Ending): void;
  /** Says goodbye. */
  close(): void;
}

const open = new Set<Leaving>();
let listening = false;

/** Gives up this membership when the process ends. */
export function remember(membership: Leaving): void {
  open.add(membership);
  if (listening) return;
  listening = true;
  process.on("uncaughtExceptionMonitor", (error) => {
    // A program that handles such exceptions itself continues.
    if (process.listenerCount("uncaughtException") > 0) return;
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : error;
    abandonAll(`uncaught ${reason}`, { exitCode: 1, error });
  });
  process.on("exit", (code) => {
    if (code !== 0) abandonAll(`it exited with code ${code}`, { exitCode: code });
    for (const membership of open) membership.close();
  });
}

export function forget(membership: Leaving): void {
  open.delete(membership);
}

function abandonAll(reason: string, ending: Ending): void {
  for (const membership of open) membership.abandon(reason, ending);
}
