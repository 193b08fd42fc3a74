/**
 * The part of node:test that our test files use. node:test runs the files of one process once; this runs them for one change after the other,
 * and stops at the first failure.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { mock } from "node:test";

const MockTracker = mock.constructor;

class Suite {
  children = [];
  ready = undefined;
  hooks = { before: [], after: [], beforeEach: [], afterEach: [] };

  constructor(name, outer) {
    this.name = name;
    this.outer = outer;
  }
}

/** The suite whose body is being executed, also after an `await` in it. */
const suites = new AsyncLocalStorage();
let root = new Suite("", undefined);
const suiteHere = () => suites.getStore() ?? root;

export function describe(name, ...rest) {
  const suite = new Suite(name, suiteHere());
  suite.outer.children.push(suite);
  suite.ready = suites.run(suite, rest.at(-1));
}

export function it(name, ...rest) {
  suiteHere().children.push({ name, body: rest.at(-1) });
}

const hook = (kind) => (body) => {
  suiteHere().hooks[kind].push(body);
};
export const before = hook("before");
export const after = hook("after");
export const beforeEach = hook("beforeEach");
export const afterEach = hook("afterEach");
export { it as test, mock };

/** Runs what was declared since the last call, and throws what the first failing test throws. `onTest` hears of each one before it starts. */
export async function runDeclared(onTest) {
  const declared = root;
  root = new Suite("", undefined);
  await runSuite(declared, onTest);
}

async function runSuite(suite, onTest) {
  await suite.ready;
  try {
    await all(suite.hooks.before);
    for (const child of suite.children) {
      if (child instanceof Suite) await runSuite(child, onTest);
      else await runTest(suite, child, onTest);
    }
  } finally {
    await all(suite.hooks.after);
  }
}

async function runTest(suite, { name, body }, onTest) {
  const chain = [];
  for (let one = suite; one !== undefined; one = one.outer) chain.unshift(one);
  // What a test replaces by its own `t.mock` is there again afterwards.
  const own = new MockTracker();
  const endings = [() => own.restoreAll()];
  const after = (end) => endings.push(end);
  const context = { name, mock: own, skip() {}, diagnostic() {}, after };
  onTest(name);
  try {
    for (const { hooks } of chain) await all(hooks.beforeEach, context);
    await body?.(context);
  } finally {
    await all(endings, context);
    for (const { hooks } of chain.reverse()) await all(hooks.afterEach, context);
  }
}

async function all(hooks, context) {
  for (const one of hooks) await one(context);
}
