import { Decompress, decompress } from "fzstd";
import { demand } from "./damage.js";

const MAGIC = 0xfd2fb528;
/** The most memory that the window of a frame may take, as in the zstd program. */
const MAX_WINDOW = 2 ** 27;
const BLOCK = { rle: 1, reserved: 3 } as const;

/**
 * Decompresses a single Zstandard frame into `size` bytes. The library believes the frame: it fills up with zeros what is missing,
 * and it can run forever on what follows a frame. So the frame is checked first.
 */
export function unzstd(input: Uint8Array, size: number): Uint8Array {
  const contentSize = checkFrame(input);
  if (contentSize !== undefined) {
    demand(contentSize === size, "a Zstandard frame has another size than its page");
    return decompress(input, new Uint8Array(size));
  }
  // The frame does not tell its size: only the stream of blocks shows how much there is.
  const output = new Uint8Array(size);
  let length = 0;
  const stream = new Decompress((block) => {
    demand(block.length <= size - length, "a Zstandard frame is longer than its page");
    output.set(block, length);
    length += block.length;
  });
  stream.push(input, true);
  demand(length === size, "a Zstandard frame is shorter than its page");
  return output;
}

/** Walks over the blocks of the frame, which must end where the input ends. Returns the size that the frame declares, if any. */
function checkFrame(input: Uint8Array): number | undefined {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  demand(input.length >= 9 && view.getUint32(0, true) === MAGIC, "it is not a Zstandard frame");
  const flags = input[4] as number;
  const isSingleSegment = (flags & 32) !== 0;
  const hasChecksum = (flags & 4) !== 0;
  demand((flags & 27) === 0, "a Zstandard frame has unknown flags or needs a dictionary");
  const sizeBytes = flags >> 6 === 0 ? Number(isSingleSegment) : 1 << (flags >> 6);
  let position = isSingleSegment ? 5 : 6;
  if (!isSingleSegment) {
    const window = 2 ** (10 + ((input[5] as number) >> 3));
    demand(window <= MAX_WINDOW, "the window of a Zstandard frame is too large");
  }
  let size = sizeBytes === 2 ? 256 : 0;
  for (let i = 0; i < sizeBytes; i++) size += (input[position + i] as number) * 2 ** (8 * i);
  position += sizeBytes;
  for (let isLast = false; !isLast; ) {
    demand(position + 3 <= input.length, "a Zstandard frame is cut short");
    const header = view.getUint16(position, true) | ((input[position + 2] as number) << 16);
    const type = (header >> 1) & 3;
    demand(type !== BLOCK.reserved, "a Zstandard frame has an unknown block");
    isLast = (header & 1) === 1;
    position += 3 + (type === BLOCK.rle ? 1 : header >> 3);
  }
  const end = position + (hasChecksum ? 4 : 0);
  demand(end === input.length, "a Zstandard frame does not end with its page");
  return sizeBytes === 0 ? undefined : size;
}
