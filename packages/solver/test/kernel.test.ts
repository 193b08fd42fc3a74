import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Kernel, SparseRows } from "#internal";
import { rowData, Sequence } from "./programs.js";

const SIZE = 12;
const random = new Sequence(7);
const dense = Array.from({ length: SIZE }, () =>
  Array.from({ length: SIZE }, () => (random.next() < 0.4 ? 10 * random.next() - 5 : 0)),
);
dense.forEach((row, i) => {
  row[i] = 3 + random.next();
});
const rows = new SparseRows(rowData(dense.map((row) => [0, row, 0])), new Uint8Array(SIZE));

/** How far the inverse times the kernel is from the identity. */
function errorOf(kernel: Kernel): number {
  let largest = 0;
  for (let s = 0; s < kernel.size; s++) {
    for (let c = 0; c < kernel.size; c++) {
      let sum = s === c ? -1 : 0;
      for (let t = 0; t < kernel.size; t++) {
        const entry = dense[kernel.rows[t] as number]?.[kernel.columns[c] as number] as number;
        sum += (kernel.inverse[s * kernel.stride + t] as number) * entry;
      }
      largest = Math.max(largest, Math.abs(sum));
    }
  }
  return largest;
}

function kernelOf(columns: readonly number[], ofRows: readonly number[]): Kernel {
  const kernel = new Kernel(SIZE);
  kernel.clear();
  columns.forEach((column, i) => {
    kernel.push(column, ofRows[i] as number);
  });
  assert.ok(kernel.invert(rows));
  assert.ok(errorOf(kernel) < 1e-12);
  return kernel;
}

/** The inverse times a column, as a step of the simplex computes it. */
function direct(kernel: Kernel, column: number): void {
  for (let s = 0; s < kernel.size; s++) {
    let sum = 0;
    for (let t = 0; t < kernel.size; t++) {
      const entry = dense[kernel.rows[t] as number]?.[column] as number;
      sum += (kernel.inverse[s * kernel.stride + t] as number) * entry;
    }
    kernel.direction[s] = sum;
  }
}

/** A row times the inverse. */
function combine(kernel: Kernel, row: number): void {
  for (let t = 0; t < kernel.size; t++) {
    let sum = 0;
    for (let s = 0; s < kernel.size; s++) {
      const entry = dense[row]?.[kernel.columns[s] as number] as number;
      sum += entry * (kernel.inverse[s * kernel.stride + t] as number);
    }
    kernel.combination[t] = sum;
  }
}

/** The first column or row beyond the kernel with a pivot that is not too small. */
function firstPivot(pivotOf: (index: number) => number): number {
  return [4, 5, 6, 7, 8, 9].find((index) => Math.abs(pivotOf(index)) > 0.1) as number;
}

describe("the inverse of a kernel", () => {
  it("follows a column that is replaced", () => {
    const kernel = kernelOf([0, 1, 2, 3], [0, 1, 2, 3]);
    const entering = firstPivot((column) => {
      direct(kernel, column);
      return kernel.direction[2] as number;
    });
    kernel.replaceColumn(2, entering);
    assert.deepEqual([...kernel.columns.subarray(0, 4)], [0, 1, entering, 3]);
    assert.deepEqual([kernel.columnPlace[entering], kernel.columnPlace[2]], [2, -1]);
    assert.ok(errorOf(kernel) < 1e-11);
  });

  it("follows a row that is replaced", () => {
    const kernel = kernelOf([0, 1, 2, 3], [0, 1, 2, 3]);
    const entering = firstPivot((row) => {
      combine(kernel, row);
      return kernel.combination[1] as number;
    });
    kernel.replaceRow(1, entering);
    assert.deepEqual([...kernel.rows.subarray(0, 4)], [0, entering, 2, 3]);
    assert.ok(errorOf(kernel) < 1e-11);
  });

  it("grows by a pair, also beyond its room, and shrinks by one", () => {
    const kernel = kernelOf([0], [0]);
    for (let i = 1; i < SIZE; i++) {
      direct(kernel, i);
      combine(kernel, i);
      let pivot = dense[i]?.[i] as number;
      for (let s = 0; s < kernel.size; s++) {
        const entry = dense[i]?.[kernel.columns[s] as number] as number;
        pivot -= entry * (kernel.direction[s] as number);
      }
      kernel.addPair(i, i, pivot);
      assert.equal(kernel.size, i + 1);
      assert.ok(errorOf(kernel) < 1e-9, `${i}: ${errorOf(kernel)}`);
    }
    for (const [s, t] of [
      [3, 5],
      [10, 0],
      [0, 9],
      [8, 8],
    ] as const) {
      const before = kernel.size;
      kernel.removePair(s, t);
      assert.equal(kernel.size, before - 1);
      assert.ok(errorOf(kernel) < 1e-8, `${s} ${t}: ${errorOf(kernel)}`);
    }
    assert.equal(kernel.updates, SIZE - 1 + 4);
  });

  it("does not exist if rows are alike", () => {
    const alike = new SparseRows(
      rowData([
        [0, [1, 2, 3], 0],
        [0, [2, 4, 6], 0],
      ]),
      new Uint8Array(3),
    );
    const kernel = new Kernel(3);
    kernel.clear();
    kernel.push(0, 0);
    kernel.push(2, 1);
    assert.equal(kernel.invert(alike), false);
  });
});

describe("rows with fixed columns", () => {
  it("have them at the end, in an order that does not depend on what was fixed before", () => {
    const isFixed = new Uint8Array(4);
    const some = new SparseRows(rowData([[0, [1, 2, 3, 4], 0]]), isFixed);
    isFixed.set([1, 0, 1, 0]);
    some.divide();
    assert.deepEqual([...some.indices], [1, 3, 0, 2]);
    assert.deepEqual([...some.values], [2, 4, 1, 3]);
    assert.equal(some.mids[0], 2);
    isFixed.set([0, 1, 1, 0]);
    some.divide();
    assert.deepEqual([...some.indices], [0, 3, 1, 2]);
    assert.deepEqual([...some.data().indices], [0, 1, 2, 3]);
    assert.deepEqual([...some.data().values], [1, 2, 3, 4]);
  });

  it("stay what they are when others are removed", () => {
    const isFixed = Uint8Array.of(0, 1, 0);
    const some = new SparseRows(
      rowData([
        [1, [1, 2, 3], 4],
        [5, [4, 5, 0], 8],
        [9, [6, 0, 7], 12],
      ]),
      isFixed,
    );
    some.remove(Int32Array.of(0));
    assert.equal(some.count, 2);
    assert.deepEqual(
      some.data(),
      rowData([
        [5, [4, 5, 0], 8],
        [9, [6, 0, 7], 12],
      ]),
    );
    assert.deepEqual([...some.mids.subarray(0, 2)], [1, 4]);
  });
});
