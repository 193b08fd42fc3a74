/**
 * Hooks of the module loader. A module that is imported as `file.js?change=7` gets the modules of the checkout that it imports as
 * `?change=7`, too: each change has modules of its own, while everything else, the solver above all, is loaded once.
 */
let setting;

/** `setting.fresh` are the URLs of the folders whose modules are loaded for each change, `setting.runner` that of the small runner. */
export function initialize(given) {
  setting = given;
}

export async function resolve(specifier, context, next) {
  const change = /\?change=\d+$/.exec(context.parentURL ?? "")?.[0];
  if (change === undefined) return next(specifier, context);
  if (specifier === "node:test") return { url: setting.runner, shortCircuit: true };
  const found = await next(specifier, context);
  const isFresh = setting.fresh.some((folder) => found.url.startsWith(folder));
  return isFresh ? { ...found, url: found.url + change } : found;
}
