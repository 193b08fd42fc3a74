import { isIP } from "node:net";
import { InvalidConfiguration, MissingConfiguration } from "../errors/backend-error.js";
import {
  checkPlace,
  DEFAULT_SILENCE_SECS,
  DEFAULT_TIMEOUT_SECS,
  parseNumber,
  parseOptionalNumber,
  parseOptionalTimeout,
  startLimit,
} from "../group/settings.js";
import type { Environment } from "../select/backend.js";
import { placeFromCluster } from "./cluster.js";

/** How a process joins a group over sockets. */
export interface TcpConfig {
  readonly rank: number;
  readonly size: number;
  /**
   * Where workers reach rank 0: a name or an address, with or without `:port`. Rank 0 ignores it.
   */
  readonly coordinator?: string | undefined;
  /** The port of the coordinator, if `coordinator` does not name one. Default: 29500. */
  readonly port?: number | undefined;
  /**
   * The address at which rank 0 listens. Default: 0.0.0.0, all of IPv4; `::` is all of IPv4 and
   * IPv6.
   */
  readonly bindAddress?: string | undefined;
  /** A secret that only the ranks know. Both sides of every connection prove that they know it. */
  readonly token?: string | undefined;
  /**
   * How many seconds to wait for other ranks, at the start and in a collective. Default: 60. With
   * `Infinity`, a living rank may take as long as it needs in a collective; the start may take 60
   * seconds. Ranks that have died, exited, thrown or closed, and calls that differ, are still found
   * at once. A rank that has waited for half the limit, at most 30 seconds, warns on stderr.
   */
  readonly timeoutSecs?: number | undefined;
  /**
   * Whether workers may also connect to each other, not only to rank 0. Default: true. With
   * `"network"` they use the network even within a machine.
   */
  readonly links?: Links | undefined;
  /**
   * How many seconds a machine may be silent before it counts as lost. Default: 105. The kernel
   * answers for a busy process: only a machine that has crashed or cannot be reached is silent.
   */
  readonly silenceSecs?: number | undefined;
  /** @internal A listening socket that rank 0 inherits from the launcher. */
  readonly listenFd?: number | undefined;
}

/** Which links workers make to each other. */
type Links = boolean | "network";

/** A checked configuration, with every default filled in. */
export interface CompleteTcpConfig {
  readonly rank: number;
  readonly size: number;
  /** The coordinator's name or address, without brackets; empty on rank 0. */
  readonly host: string;
  readonly port: number;
  readonly bindAddress: string;
  readonly token: string | undefined;
  readonly timeoutSecs: number;
  /** How long the start may take. */
  readonly startSecs: number;
  readonly silenceSecs: number;
  readonly links: Links;
  readonly listenFd: number | undefined;
}

const DEFAULT_PORT = 29500;
const DEFAULT_BIND_ADDRESS = "0.0.0.0";

/**
 * Linux counts keepalive times in whole seconds, from 1 to 32,767. A probe interval is a seventh of
 * the limit.
 */
const MIN_SILENCE_SECS = 5;
const MAX_SILENCE_SECS = 32_767;

/** Rank 0 has a connection to every worker. */
const MAX_RANKS = 1024;

const VARIABLES = {
  rank: "COBRE_TCP_RANK",
  size: "COBRE_TCP_SIZE",
  coordinator: "COBRE_TCP_COORDINATOR",
  port: "COBRE_TCP_PORT",
  bindAddress: "COBRE_TCP_BIND_ADDR",
  token: "COBRE_TCP_TOKEN",
  timeoutSecs: "COBRE_TCP_TIMEOUT_SECS",
  silenceSecs: "COBRE_TCP_SILENCE_SECS",
  links: "COBRE_TCP_LINKS",
  listenFd: "COBRE_TCP_LISTEN_FD",
} as const;

const EXAMPLE =
  "COBRE_TCP_COORDINATOR=node1 COBRE_TCP_RANK=1 COBRE_TCP_SIZE=4 (rank 0 needs no coordinator; or start the ranks with: cobre launch -n 4 --backend tcp -- …)";

/**
 * Reads the `COBRE_TCP_*` variables. If this process is part of a Slurm job or of an indexed
 * Kubernetes job, that job supplies what is not set.
 */
export function configFromEnvironment(env: Environment): TcpConfig {
  const cluster = placeFromCluster(env);
  const rank = parseOptionalNumber(env[VARIABLES.rank]) ?? cluster.rank;
  const size = parseOptionalNumber(env[VARIABLES.size]) ?? cluster.size;
  const coordinator = env[VARIABLES.coordinator] ?? cluster.coordinator;
  const missing: string[] = [];
  if (rank === undefined) missing.push(VARIABLES.rank);
  if (size === undefined) missing.push(VARIABLES.size);
  if (rank !== 0 && coordinator === undefined) missing.push(VARIABLES.coordinator);
  if (rank === undefined || size === undefined || missing.length > 0) {
    throw new MissingConfiguration("tcp", missing, EXAMPLE);
  }
  const links = env[VARIABLES.links];
  const config: TcpConfig = {
    rank,
    size,
    coordinator,
    port: parseOptionalNumber(env[VARIABLES.port]),
    bindAddress: env[VARIABLES.bindAddress],
    token: env[VARIABLES.token],
    timeoutSecs: parseOptionalTimeout(env[VARIABLES.timeoutSecs]),
    silenceSecs: parseOptionalNumber(env[VARIABLES.silenceSecs]),
    links: links === undefined ? undefined : parseLinks(links),
    listenFd: parseOptionalNumber(env[VARIABLES.listenFd]),
  };
  completeConfig(config, (field) => ({ setting: VARIABLES[field], value: env[VARIABLES[field]] }));
  return config;
}

/** Checks a configuration made by a program. */
export function configFromProgram(config: TcpConfig): CompleteTcpConfig {
  const given = config as Partial<Record<keyof TcpConfig, unknown>>;
  const needed = given.rank === 0 ? ["rank", "size"] : ["rank", "size", "coordinator"];
  const missing = needed.filter((field) => given[field as keyof TcpConfig] === undefined);
  if (missing.length > 0) {
    const example = '{ kind: "tcp", config: { rank: 1, size: 4, coordinator: "node1" } }';
    throw new MissingConfiguration("tcp", missing, example);
  }
  return completeConfig(config, (field) => ({ setting: field, value: undefined }));
}

type Origin = (field: keyof TcpConfig) => { setting: string; value: string | undefined };

function completeConfig(config: TcpConfig, origin: Origin): CompleteTcpConfig {
  const refuse = (field: keyof TcpConfig, reason: string): never => {
    const { setting, value = String(config[field]) } = origin(field);
    // A token is a secret: keep it out of messages and logs.
    const shown = field === "token" ? "***" : value;
    throw new InvalidConfiguration("tcp", setting, shown, reason);
  };
  const { rank, size, timeoutSecs = DEFAULT_TIMEOUT_SECS, token, listenFd, links = true } = config;
  checkPlace({ rank, size, timeoutSecs }, MAX_RANKS, refuse);
  const { bindAddress = DEFAULT_BIND_ADDRESS, coordinator = "", port = DEFAULT_PORT } = config;
  if (!isPort(port)) refuse("port", "a port is a whole number from 1 to 65535.");
  if (typeof bindAddress !== "string" || isIP(bindAddress) === 0) {
    refuse("bindAddress", "it must be an IP address of this machine, such as 0.0.0.0 or ::.");
  }
  if (token !== undefined && (typeof token !== "string" || token === "")) {
    refuse("token", "a token is a text that is not empty; leave it unset for no token.");
  }
  if (typeof links !== "boolean" && links !== "network") {
    refuse("links", "it must be 1 (true), 0 (false) or network.");
  }
  if (listenFd !== undefined && (!Number.isInteger(listenFd) || listenFd < 0)) {
    refuse("listenFd", "a descriptor is a whole number, 0 or greater.");
  }
  const { silenceSecs = DEFAULT_SILENCE_SECS } = config;
  if (!(silenceSecs >= MIN_SILENCE_SECS && silenceSecs <= MAX_SILENCE_SECS)) {
    refuse(
      "silenceSecs",
      `it is a number of seconds from ${MIN_SILENCE_SECS} to ${MAX_SILENCE_SECS}.`,
    );
  }
  const startSecs = startLimit(timeoutSecs);
  const limits = { timeoutSecs, startSecs, silenceSecs };
  const place = { rank, size, ...limits, bindAddress, token, links, listenFd };
  if (rank === 0) return { ...place, host: "", port };
  const target = parseCoordinator(coordinator);
  if (target === undefined || !isPort(target.port ?? port)) {
    return refuse("coordinator", "it is a name or an address: node1, node1:29500, [::1]:29500.");
  }
  return { ...place, host: target.host, port: target.port ?? port };
}

function parseLinks(text: string): Links {
  if (text === "0" || text === "1") return text === "1";
  // Any other text is passed on: completeConfig refuses it.
  return text as "network";
}

function isPort(port: unknown): boolean {
  return Number.isInteger(port) && (port as number) >= 1 && (port as number) <= 65_535;
}

/** `name`, `name:port`, `10.0.0.1:port`, `::1`, `[::1]`, `[::1]:port`. */
function parseCoordinator(text: string): { host: string; port?: number } | undefined {
  if (isIP(text) !== 0) return { host: text };
  const bracketed = /^\[([^\]]+)\](?::(\d+))?$/.exec(text);
  const plain = /^([A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_.])?)(?::(\d+))?$/.exec(text);
  const match = bracketed !== null && isIP(bracketed[1] as string) === 6 ? bracketed : plain;
  if (match === null) return undefined;
  const host = match[1] as string;
  return match[2] === undefined ? { host } : { host, port: parseNumber(match[2]) };
}
