/** A rank maps the memory it was offered, and nothing else. */
import assert from "node:assert/strict";
import {
  chownSync,
  closeSync,
  mkdtempSync,
  openSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { needs } from "@cobre/testing/needs";
import { loadSystem, mapRegionFile } from "#internal";

const NOBODY = 65534;

describe("shm: what was offered as a region", () => {
  const folder = mkdtempSync(join(tmpdir(), "cobre-region-test-"));
  after(() => rmSync(folder, { recursive: true }));

  it("is refused if it has another size: the descriptor stands for another file by now", async () => {
    const system = await loadSystem();
    const path = join(folder, "file");
    writeFileSync(path, "");
    truncateSync(path, 65_536);
    const fd = openSync(path, "r+");
    try {
      const offer = { pid: process.pid, handle: fd };
      assert.throws(
        () => mapRegionFile(system, offer, 131_072, []),
        /65536 bytes instead of 131072/,
      );
      assert.equal(mapRegionFile(system, offer, 65_536, []).buffer.byteLength, 65_536);
    } finally {
      closeSync(fd);
    }
  });

  it("is refused if it belongs to another user, whatever its size", async (t) => {
    if (!needs(t, process.getuid?.() === 0, "root, to give a file away")) return;
    const system = await loadSystem();
    const path = join(folder, "theirs");
    writeFileSync(path, "");
    truncateSync(path, 65_536);
    chownSync(path, NOBODY, NOBODY);
    const fd = openSync(path, "r+");
    try {
      const offer = { pid: process.pid, handle: fd };
      assert.throws(() => mapRegionFile(system, offer, 65_536, []), /another user \(uid 65534\)/);
    } finally {
      closeSync(fd);
    }
  });
});
