/** What receives the launcher's signals. */
interface SignalTarget {
  /** Asks the job to end. */
  interrupt(signal: NodeJS.Signals): void;
  /** Signals every rank. */
  kill(signal: NodeJS.Signals): void;
}

const ENDING: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];

/** Batch systems announce the end of a job with SIGUSR1 or SIGUSR2. */
const PASSED_ON: readonly NodeJS.Signals[] = ["SIGUSR1", "SIGUSR2", "SIGWINCH"];

/**
 * Passes signals to this process on to the job. The terminal does not do that: it signals the
 * launcher's process group, and the ranks have their own groups. Returns a function that stops it.
 */
export function forwardSignals(target: SignalTarget): () => void {
  const handlers = new Map<NodeJS.Signals, () => void>();
  for (const signal of ENDING) handlers.set(signal, () => target.interrupt(signal));
  for (const signal of PASSED_ON) handlers.set(signal, () => target.kill(signal));
  handlers.set("SIGTSTP", () => {
    // The ranks' groups are orphaned, and SIGTSTP does not stop orphaned process groups.
    target.kill("SIGSTOP");
    process.kill(process.pid, "SIGSTOP");
  });
  handlers.set("SIGCONT", () => target.kill("SIGCONT"));

  for (const [signal, handler] of handlers) process.on(signal, handler);
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}
