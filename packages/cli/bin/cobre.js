#!/usr/bin/env node
// Committed, not built: npm links only commands that exist when it installs.
async function load() {
  try {
    return await import("../dist/main.js");
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    console.error("cobre: not built yet; run `npm ci && npm run build` in the clone.");
    process.exit(1);
  }
}

const { main } = await load();
await main(process.argv);
