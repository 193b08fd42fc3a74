import * as zlib from "node:zlib";

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** Several times as fast, but not in every Node.js 20. */
const native = (zlib as { crc32?: (bytes: Uint8Array) => number }).crc32;

/** The CRC-32 of gzip, as a signed number: this is how the header of a Parquet page holds it. */
export function crc32(bytes: Uint8Array): number {
  return native === undefined ? portableCrc32(bytes) : native(bytes) | 0;
}

/** What {@link crc32} computes where Node.js does not. */
export function portableCrc32(bytes: Uint8Array): number {
  let crc = -1;
  for (let i = 0; i < bytes.length; i++) {
    crc = (crc >>> 8) ^ (TABLE[(crc ^ (bytes[i] as number)) & 255] as number);
  }
  return ~crc;
}
