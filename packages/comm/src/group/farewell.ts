/**
 * A process that ends must tell its groups: nobody may wait for it in vain. What SIGKILL leaves
 * unsaid, the kernel says: it releases locks and closes connections.
 */

/** How a process ends badly: by the exception that nobody caught, or with an exit code of its own. */
export type Ending =
  | { readonly exitCode: number }
  | { readonly exitCode: 1; readonly error: unknown };

/** A place in a group that can be given up. */
export interface Leaving {
  /** This process ends badly: tells the others to stop. */
  abandon(reason: string, ending: Ending): void;
  /** Says goodbye. */
  close(): void;
}

const open = new Set<Leaving>();
let listening = false;

/** From now on, the end of this process is the end of this membership. */
export function remember(membership: Leaving): void {
  open.add(membership);
  if (listening) return;
  listening = true;
  process.on("uncaughtExceptionMonitor", (error) => {
    // A program that handles such exceptions itself goes on.
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
