/** How a JSON object is read: each fault is told once, by its place, and reading goes on with something harmless. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatIssue, IssueCollector } from "@cobre/core";
import { mergePatch, nearest, ObjectReader } from "@cobre/io";

/** What `read` returns for an object, and everything that is said about it. */
function reading<T>(value: unknown, read: (reader: ObjectReader) => T): [T, ...string[]] {
  const issues = new IssueCollector();
  const found = read(new ObjectReader(value, { file: "f" }, "", issues));
  return [found, ...issues.issues.map((one) => `${one.severity} ${formatIssue(one)}`)];
}

const told = (problem: string) => `error f: ${problem}`;

describe("a field of an object", () => {
  it("is a number within its limits, and they are inclusive", () => {
    const rule = { min: 1, max: 3 };
    for (const value of [1, 2.5, 3])
      assert.deepEqual(
        reading({ x: value }, (o) => o.number("x", rule)),
        [value],
      );
    for (const value of [0.5, 3.5])
      assert.deepEqual(
        reading({ x: value }, (o) => o.number("x", rule)),
        [0, told(`x: is ${value}; must be between 1 and 3`)],
      );
    assert.deepEqual(
      reading({ x: 0 }, (o) => o.number("x", { min: 1 })),
      [0, told("x: is 0; must be at least 1")],
    );
    assert.deepEqual(
      reading({ x: 5 }, (o) => o.number("x", { max: 3 })),
      [0, told("x: is 5; must be at most 3")],
    );
  });

  it("is a number that the solver can bear", () => {
    assert.deepEqual(
      reading({ x: -1e15 }, (o) => o.number("x")),
      [-1e15],
    );
    const [found, issue] = reading({ x: -1e300 }, (o) => o.number("x"));
    assert.equal(found, 0);
    assert.match(issue ?? "", /x: is -1e\+300; must be between -\S+ and \S+$/);
  });

  it("is a whole number where one is wanted", () => {
    assert.deepEqual(
      reading({ x: 2 ** 53 - 1 }, (o) => o.integer("x")),
      [2 ** 53 - 1],
    );
    for (const value of [2 ** 53, 1.5])
      assert.deepEqual(
        reading({ x: value }, (o) => o.integer("x")),
        [0, told(`x: is ${value}; must be a whole number of at most 53 bits`)],
      );
    assert.deepEqual(
      reading({ x: "1" }, (o) => o.integer("x")),
      [0, told('x: is the text "1"; must be a whole number')],
    );
    assert.deepEqual(
      reading({ x: true }, (o) => o.number("x")),
      [0, told("x: is true; must be a number")],
    );
  });

  it("may be left out, or null, if it is optional", () => {
    for (const value of [{}, { x: null }]) {
      assert.deepEqual(
        reading(value, (o) => o.optionalNumber("x")),
        [undefined],
      );
      assert.deepEqual(
        reading(value, (o) => o.optionalInteger("x")),
        [undefined],
      );
      assert.deepEqual(
        reading(value, (o) => o.optionalObject("x")),
        [undefined],
      );
      assert.deepEqual(
        reading(value, (o) => o.optionalList("x")),
        [undefined],
      );
      assert.deepEqual(
        reading(value, (o) => o.boolean("x", true)),
        [true],
      );
      assert.deepEqual(
        reading(value, (o) => o.choice("x", ["a", "b"], "b")),
        ["b"],
      );
      assert.deepEqual(
        reading(value, (o) => o.has("x")),
        [false],
      );
      assert.deepEqual(
        reading(value, (o) => o.raw("x")),
        [undefined],
      );
    }
    assert.deepEqual(
      reading({ x: 0 }, (o) => [o.has("x"), o.optionalNumber("x")]),
      [[true, 0]],
    );
    assert.deepEqual(reading({ x: 1.5 }, (o) => o.optionalInteger("x")).length, 2);
  });

  it("must be given otherwise, and null is not the same as nothing", () => {
    for (const read of [
      (o: ObjectReader) => o.number("x"),
      (o: ObjectReader) => o.text("x"),
      (o: ObjectReader) => o.choice("x", ["a"]),
      (o: ObjectReader) => o.object("x"),
      (o: ObjectReader) => o.list("x"),
      (o: ObjectReader) => o.numbers("x"),
    ]) {
      assert.deepEqual(reading<unknown>({}, read).slice(1), [told("x: is missing; must be given")]);
      assert.deepEqual(reading<unknown>({ x: null }, read).slice(1), [
        told("x: is null; must be given"),
      ]);
    }
  });

  it("is a text, true or false, or one of several words", () => {
    assert.deepEqual(
      reading({ x: "" }, (o) => o.text("x")),
      [""],
    );
    assert.deepEqual(
      reading({ x: 7 }, (o) => o.text("x")),
      ["", told("x: is 7; must be a text")],
    );
    assert.deepEqual(
      reading({ x: false }, (o) => o.boolean("x", true)),
      [false],
    );
    assert.deepEqual(
      reading({ x: 0 }, (o) => o.boolean("x", true)),
      [true, told("x: is 0; must be true or false")],
    );
    const choice = (o: ObjectReader) => o.choice("x", ["any", "all"], "all");
    assert.deepEqual(reading({ x: "any" }, choice), ["any"]);
    assert.deepEqual(reading({ x: "al" }, choice), [
      "all",
      told('x: is "al"; must be one of: any, all; did you mean "all"?'),
    ]);
    assert.deepEqual(reading({ x: 7 }, choice), ["all", told("x: is 7; must be one of: any, all")]);
    assert.deepEqual(
      reading({ x: "something" }, (o) => o.choice("x", ["any", "all"])),
      ["any", told('x: is "something"; must be one of: any, all')],
    );
  });

  it("is told by its path, in objects and lists", () => {
    const deep = { a: { b: [{ c: 1 }, { c: "x" }] } };
    const read = (o: ObjectReader) =>
      o
        .object("a")
        .list("b")
        .map((entry) => entry.number("c"));
    assert.deepEqual(reading(deep, read), [
      [1, 0],
      told('a.b[1].c: is the text "x"; must be a number'),
    ]);
    assert.deepEqual(
      reading({ n: [1, "x"] }, (o) => o.numbers("n")),
      [[1, 0], told('n[1]: is the text "x"; must be a number')],
    );
    assert.deepEqual(
      reading({ n: {} }, (o) => o.list("n")),
      [[], told("n: is an object; must be a list")],
    );
    assert.deepEqual(
      reading({ a: { x: 7 } }, (o) => o.entries().map(([key]) => key)),
      [["a"]],
    );
  });

  it("of what is no object is not told: the object was", () => {
    for (const [value, name] of [
      [[], "a list"],
      [null, "null"],
      ["t", 'the text "t"'],
      [7, "7"],
    ] as const) {
      const read = (o: ObjectReader) => o.number("x") + o.of("entity 1").number("y");
      assert.deepEqual(reading(value, read), [0, `error f: is ${name}; must be an object`]);
    }
    const inner = (o: ObjectReader) => o.object("a").number("x");
    assert.deepEqual(reading({}, inner), [0, told("a: is missing; must be given")]);
    assert.deepEqual(reading({ a: 7 }, inner), [0, told("a: is 7; must be an object")]);
  });

  it("is told with its entity", () => {
    assert.deepEqual(
      reading({}, (o) => o.of("bus 3").number("x")),
      [0, told("bus 3: x: is missing; must be given")],
    );
  });
});

describe("an object that is one of several", () => {
  const kinds = (...choices: [string, ...string[]]) => {
    return (o: ObjectReader) => {
      const [name, value] = o.variant(choices);
      const x = value.number("x");
      o.finish();
      return [name, x];
    };
  };

  it("has the field that names it", () => {
    assert.deepEqual(reading({ b: { x: 3 } }, kinds("a", "b")), [["b", 3]]);
    assert.deepEqual(reading({ a: { x: 3 }, b: null }, kinds("a", "b")), [["a", 3]]);
    assert.deepEqual(reading({ b: {} }, kinds("a", "b")), [
      ["b", 0],
      told("b.x: is missing; must be given"),
    ]);
  });

  it("must have one, and only one", () => {
    const [, ...none] = reading({}, kinds("a", "b"));
    assert.deepEqual(none, ["error f: does not say which one; must have one of: a, b"]);
    const [, ...both] = reading({ a: { x: 1 }, b: { x: 2 } }, kinds("a", "b"));
    assert.deepEqual(both, ["error f: has a and b; must have one of them"]);
    const [, ...only] = reading({}, kinds("a"));
    assert.deepEqual(only, [told("a: is missing; must be given")]);
  });

  it("may have been misspelt", () => {
    const [, ...issues] = reading({ alpho: { x: 1 } }, kinds("alpha", "omega"));
    assert.deepEqual(issues, [
      "error f: does not say which one; must have one of: alpha, omega",
      'warning f: alpho: is not a known field; did you mean "alpha"?',
    ]);
    const named = (o: ObjectReader) => o.choiceOrObject("x", ["mean", "worst"], "must be known");
    assert.deepEqual(reading({ x: "wrost" }, named), [
      undefined,
      told('x: is "wrost"; must be known; did you mean "worst"?'),
    ]);
  });
});

describe("fields that nobody read", () => {
  const unread = (value: object, read: (reader: ObjectReader) => void) =>
    reading(value, (reader) => {
      read(reader);
      reader.finish();
    }).slice(1);

  it("are told, with what may have been meant among those that are missing", () => {
    assert.deepEqual(
      unread({ sed: 1 }, (o) => o.optionalNumber("seed")),
      ['warning f: sed: is not a known field; did you mean "seed"?'],
    );
    assert.deepEqual(
      unread({ sed: 1, seed: 2 }, (o) => o.optionalNumber("seed")),
      ["warning f: sed: is not a known field; remove it, it has no effect"],
    );
  });

  it("are not told if they are ignored, known or about the file", () => {
    const read = (o: ObjectReader) => {
      o.ignore("a", "b");
      o.has("c");
      o.raw("d");
    };
    assert.deepEqual(unread({ $schema: "s", a: 1, b: 2, c: 3, d: 4 }, read), []);
    const map = (o: ObjectReader) => void o.entries();
    assert.deepEqual(unread({ x: {} }, map), []);
  });

  it("are refused if they ask for what cannot be done", () => {
    assert.deepEqual(
      unread({ a: 1 }, (o) => o.cannot("a", "much")),
      [told("a: asks for much; this version cannot do that yet")],
    );
    const later = { a: { asksFor: "more" }, b: { was: "c" } };
    const refuse = (o: ObjectReader) => o.refuseLater(later);
    assert.deepEqual(unread({ a: null, b: [] }, refuse), []);
    assert.deepEqual(unread({ a: 0, b: [1] }, refuse), [
      told(
        "a: is a field of Cobre 0.18 and asks for more; this version cannot do that yet; without it the result would be another",
      ),
      told(
        "b: is a field of Cobre 0.18; the case is written for Cobre 0.5, see training.forward_passes in config.json: give c",
      ),
    ]);
    assert.deepEqual(unread({ a: "" }, refuse).length, 1);
  });
});

describe("fields of the other version of Cobre", () => {
  const later = {
    a: { asksFor: "more" },
    b: { was: "old" },
    c: { asksFor: "less", isRead: true },
    d: { asksFor: "nothing new", isRead: false },
  };
  const reads = (value: object, dialect: "0.5" | "0.18", read: (o: ObjectReader) => unknown) => {
    const issues = new IssueCollector();
    const found = read(new ObjectReader(value, { file: "f" }, "", issues, dialect));
    return [found, ...issues.issues.map(formatIssue)];
  };
  const of5 = "the case is written for Cobre 0.5, see training.forward_passes in config.json";
  const of18 = "the case is written for Cobre 0.18, see training.selection in config.json";
  const CANNOT = "this version cannot do that yet; without it the result would be another";

  it("are refused in a case for Cobre 0.5, and in one for Cobre 0.18 if they cannot be done", () => {
    const refuse = (o: ObjectReader) => o.refuseLater(later);
    const value = { a: 1, b: 1, c: 1, d: 1 };
    assert.deepEqual(reads(value, "0.5", refuse).slice(1), [
      `f: a: is a field of Cobre 0.18 and asks for more; ${CANNOT}`,
      `f: b: is a field of Cobre 0.18; ${of5}: give old`,
      `f: c: is a field of Cobre 0.18 and asks for less; ${of5}: remove it, or translate the case with cobre migrate`,
      `f: d: is a field of Cobre 0.18 and asks for nothing new; ${CANNOT}`,
    ]);
    assert.deepEqual(reads(value, "0.18", refuse).slice(1), [
      `f: a: is a field of Cobre 0.18 and asks for more; ${CANNOT}`,
      `f: d: is a field of Cobre 0.18 and asks for nothing new; ${CANNOT}`,
    ]);
    for (const nothing of [{}, { a: null, b: null, c: [], d: null }])
      assert.deepEqual(reads(nothing, "0.5", refuse).slice(1), []);
  });

  it("have other names, of which the wrong one is told once", () => {
    const read = (o: ObjectReader) => {
      const number = o.number(o.word("old", "new"));
      o.refuseLater({ new: { was: "old" } });
      o.finish();
      return number;
    };
    assert.deepEqual(reads({ old: 1 }, "0.5", read), [1]);
    assert.deepEqual(reads({ new: 1 }, "0.18", read), [1]);
    assert.deepEqual(reads({ new: 1, old: null }, "0.18", read), [1]);
    assert.deepEqual(reads({ new: 1 }, "0.5", read), [
      0,
      `f: new: is a field of Cobre 0.18; ${of5}: give old`,
    ]);
    const old = `f: old: is a field of Cobre 0.5; ${of18}: give new`;
    assert.deepEqual(reads({ old: 1 }, "0.18", read), [0, old]);
    assert.deepEqual(reads({ old: 1, new: 2 }, "0.18", read), [2, old]);
    assert.deepEqual(reads({}, "0.18", read), [0, "f: new: is missing; must be given"]);
    assert.deepEqual(reads({}, "0.5", read), [0, "f: old: is missing; must be given"]);
  });

  it("that only Cobre 0.5 has are told in a case for Cobre 0.18 alone", () => {
    const refuse = (o: ObjectReader) => o.refuseEarlier({ a: "do this", b: "do that" });
    assert.deepEqual(reads({ a: 1, b: [] }, "0.18", refuse).slice(1), [
      `f: a: is a field of Cobre 0.5; ${of18}: do this`,
    ]);
    assert.deepEqual(reads({ a: 1 }, "0.5", refuse).slice(1), []);
  });

  it("and unknown ones are warned of in a case for Cobre 0.5, and refused in one for Cobre 0.18", () => {
    for (const [dialect, severity] of [
      ["0.5", "warning"],
      ["0.18", "error"],
    ] as const) {
      const issues = new IssueCollector();
      const reader = new ObjectReader(
        { x: { y: 1 }, z: [{ y: 1 }] },
        { file: "f" },
        "",
        issues,
        dialect,
      );
      reader.object("x").finish();
      for (const entry of reader.list("z")) entry.finish();
      reader.of("bus 1").finish();
      assert.deepEqual(
        issues.issues.map((issue) => issue.severity),
        new Array(4).fill(severity),
      );
    }
  });
});

describe("a merge patch (RFC 7396)", () => {
  it("merges objects, removes what is null, and replaces the rest", () => {
    const target = { a: { b: 1, c: [1, 2] }, d: 4 };
    assert.deepEqual(mergePatch(target, { a: { b: null, c: [3] }, e: 5 }), {
      a: { c: [3] },
      d: 4,
      e: 5,
    });
    assert.deepEqual(mergePatch(target, { a: null }), { d: 4 });
    assert.deepEqual(mergePatch({ a: [1] }, { a: { b: { c: null } } }), { a: { b: {} } });
    assert.deepEqual(mergePatch("x", { a: 1 }), { a: 1 });
    assert.deepEqual(mergePatch([1], { a: 1 }), { a: 1 });
    assert.deepEqual(mergePatch(null, { a: 1 }), { a: 1 });
    for (const patch of [7, "x", null, [1]]) assert.deepEqual(mergePatch({ a: 1 }, patch), patch);
    assert.deepEqual(target, { a: { b: 1, c: [1, 2] }, d: 4 });
  });

  it("takes no name of an object for more than a name", () => {
    const patched = mergePatch({}, JSON.parse('{"__proto__": {"x": 1}}')) as object;
    assert.deepEqual(Object.keys(patched), ["__proto__"]);
    assert.equal(Object.getPrototypeOf(patched), Object.prototype);
  });
});

describe("the nearest name", () => {
  it("differs in two letters of a short name, in a third of a long one", () => {
    assert.equal(nearest("sexx", ["seed"]), "seed");
    assert.equal(nearest("xexx", ["seed"]), undefined);
    assert.equal(nearest("forwardxxxx", ["forward"]), undefined);
    assert.equal(nearest("forwardxxx", ["forward"]), "forward");
    assert.equal(nearest("abcdefghi", ["abcdef"]), "abcdef");
    assert.equal(nearest("ab", ["abcd"]), "abcd");
    assert.equal(nearest("ab", ["abcde"]), undefined);
  });

  it("is the first of those that are equally near, and the nearer one in any order", () => {
    assert.equal(nearest("cat", ["bat", "hat"]), "bat");
    assert.equal(nearest("cat", ["hats", "hat"]), "hat");
    assert.equal(nearest("cat", ["cats", "coot", "cat"]), "cat");
    assert.equal(nearest("CAT", ["cat"]), "cat");
  });

  it("counts letters that are changed, left out or added", () => {
    assert.equal(nearest("kitten", ["sitten"]), "sitten");
    assert.equal(nearest("kitten", ["itten"]), "itten");
    assert.equal(nearest("kitten", ["kittten"]), "kittten");
    assert.equal(nearest("kitten", ["sitting"]), undefined); // three
    assert.equal(nearest("abcabc", ["bcabca"]), "bcabca"); // one left out, one added
  });
});
