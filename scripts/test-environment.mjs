/**
 * The environment of tests. Our own launches must not look like parts of one that runs the tests. Extra certificates take 50 ms of every start of
 * Node.js, a minute of all tests together; no test needs them.
 */
export function testEnvironment(more = {}) {
  return {
    ...process.env,
    COBRE_COMM_BACKEND: undefined,
    NODE_EXTRA_CA_CERTS: undefined,
    ...more,
  };
}
