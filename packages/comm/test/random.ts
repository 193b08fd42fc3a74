/** Repeatable random numbers for tests (splitmix32). */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  /** A whole number of 32 random bits, not negative. */
  bits(): number {
    this.state = (this.state + 0x9e3779b9) | 0;
    let z = this.state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  }

  /** 0 … `below - 1`. */
  below(below: number): number {
    return this.bits() % below;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  fill(bytes: Uint8Array): void {
    const whole = bytes.length >> 2;
    const words = new Uint32Array(whole + 1);
    for (let i = 0; i <= whole; i++) words[i] = this.bits();
    bytes.set(new Uint8Array(words.buffer, 0, bytes.length));
  }
}
