/** Fills the `struct iovec` that begins at word `at`: an address and a length, 64 bits each. */
export function writeVector(words: Uint32Array, at: number, address: number, bytes: number): void {
  words[at] = address;
  words[at + 1] = address / 2 ** 32;
  words[at + 2] = bytes;
  words[at + 3] = bytes / 2 ** 32;
}
