/** An MCP server for hydrothermal studies. */
export { DEFAULT_LIMITS, type Limits, type ServerOptions } from "./options.js";
export { Refusal } from "./refusal.js";
export { type HttpOptions, type HttpServer, serveHttp } from "./transport/http.js";
export { serveStdio } from "./transport/stdio.js";
