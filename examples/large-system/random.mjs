/** Numbers drawn from a seed: the same on every machine. */

const STEP = 0x9e3779b9;

export class Draws {
  #state;

  /** @param {number} seed @param {string} purpose draws for one purpose do not depend on how many others were made */
  constructor(seed, purpose) {
    this.#state = seed >>> 0;
    for (const letter of purpose) this.#state = mixed(this.#state ^ letter.charCodeAt(0));
  }

  /** From 0 up to 1, without 1. */
  unit() {
    this.#state = (this.#state + STEP) >>> 0;
    return mixed(this.#state) / 2 ** 32;
  }

  between(low, high) {
    return low + (high - low) * this.unit();
  }

  /** Most draws are near the lower end: rivers and plants come in all sizes, small ones most often. */
  logBetween(low, high) {
    return low * (high / low) ** this.unit();
  }

  /** A whole number; both ends are possible. */
  whole(low, high) {
    return low + Math.floor((high - low + 1) * this.unit());
  }

  chance(probability) {
    return this.unit() < probability;
  }

  /** One of the items, in proportion to their weights. */
  choice(items, weightOf) {
    const total = items.reduce((sum, item) => sum + weightOf(item), 0);
    let left = total * this.unit();
    for (const item of items) {
      left -= weightOf(item);
      if (left < 0) return item;
    }
    return items.at(-1);
  }
}

/** Every bit of the result depends on every bit of the input. */
function mixed(value) {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return (bits ^ (bits >>> 16)) >>> 0;
}
