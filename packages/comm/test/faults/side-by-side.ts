/** How much may be on its way at once: each is a group of processes. */
const LIMIT = 8;

/** Waits for many things at once that take time but no processor, as groups do whose ranks are stopped. */
export class SideBySide {
  private readonly pending = new Set<Promise<void>>();
  private readonly errors: unknown[] = [];

  /** Returns when there is room for one more; throws what one of the earlier ones has thrown. */
  async add(work: Promise<unknown>): Promise<void> {
    const tracked: Promise<void> = work
      .then(undefined, (error: unknown) => void this.errors.push(error))
      .then(() => void this.pending.delete(tracked));
    this.pending.add(tracked);
    if (this.pending.size >= LIMIT) await Promise.race(this.pending);
    this.check();
  }

  async settled(): Promise<void> {
    await Promise.all(this.pending);
    this.check();
  }

  private check(): void {
    if (this.errors.length > 0) throw this.errors[0];
  }
}
