import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { isExportUrl } from '../server/cli/export-url.ts';
import { flagValues } from '../server/cli/flags.ts';
import { BASE_PATH } from '../server/http/answer/base-path.ts';
import type { Authorize } from '../server/http/limits/open-channels.ts';
import { memoryLimit } from '../server/process/memory-limit.ts';
import { OBSERVE_LEVELS } from '../shared/base/observe-level.ts';
import { parseWatchUrl } from '../shared/base/topology-url.ts';
import type { ObserveLevel } from '../shared/wire/source.ts';
import type { AppLog } from './app-log.ts';

/** The options of `createLockscope`. */
export type LockscopeOptions = {
  /** The Redis to watch, or several: `redis://`, `rediss://`, `redis+sentinel://`, `redis+cluster://` or `unix://`. */
  readonly redis: string | readonly string[];
  /**
   * The path by which browsers reach it, `/ops/locks`. Absent: the path under which Express mounts `router`, known from
   * the first request on, with what a proxy reports in `X-Forwarded-Prefix`.
   */
  readonly basePath?: string;
  /** How much it sees, and what that costs Redis; `events` if absent. */
  readonly observe?: ObserveLevel;
  /** Only keys that match one of these patterns; absent: all lock-shaped keys. */
  readonly match?: string | readonly string[];
  /** The memory limit of the whole process, such as `512mb`, which determines how much history is kept. */
  readonly memory?: string;
  /** Requires this token of every visitor, beside the application's own login. */
  readonly token?: string;
  /**
   * Names by which browsers reach the application: `ops.example.com`, or `*.example.com` for every name below it. Needed
   * without `token` and `authorize`, unless browsers use `localhost` or an address.
   */
  readonly hosts?: string | readonly string[];
  /**
   * Returns whether the sender of this WebSocket handshake may see locks. The handshake does not pass the application's
   * login, but has its cookies. Called for each new live channel, in addition to the check of its ticket, and then
   * every 30 s, so that the channel ends with the session. An error, or no answer within 10 s, refuses.
   */
  readonly authorize?: (req: IncomingMessage) => boolean | Promise<boolean>;
  /**
   * A text of at least 16 characters, the same in all copies of an application behind a load balancer: a page then
   * keeps its live channel when it moves to another copy. Absent: random in each process.
   */
  readonly secret?: string;
  /** Switches Redis key notifications on while watching, and back at `close`. */
  readonly configureNotifications?: boolean;
  /** Lets the page release a lock by force. */
  readonly allowRelease?: boolean;
  /** Locks whose names match one of these patterns have metrics of their own, at most 200; absent: no lock. */
  readonly metricsLock?: string | readonly string[];
  /**
   * Exports to this receiver of OpenTelemetry, such as `http://127.0.0.1:4318`, if the packages of its SDK are installed
   * (docs/opentelemetry.md). Absent: nothing is exported, whatever the environment says.
   */
  readonly otlp?: string;
  /** Receives its log lines; absent: the console, without `info`. */
  readonly log?: AppLog;
};

const { memory, token, match, 'metrics-lock': metricsLock } = flagValues.shape;
const MOST_SOURCES = 100;
const REDIS_TEXT = 'redis takes a Redis URL such as redis://127.0.0.1:6379, or a list of them.';
const BASE_TEXT = 'basePath takes a path such as /ops/locks, without a slash at its end.';
const OTLP_TEXT = 'otlp takes an http:// or https:// URL without user and password, such as http://127.0.0.1:4318.';
const HOSTS_TEXT = 'hosts takes host names without a port, such as ops.example.com or *.example.com.';
const AUTHORIZE_TEXT = 'authorize takes a function that returns whether a request may open the live channel.';
const SECRET_TEXT = 'secret takes a text of 16 to 1000 characters.';
const HOST = /^(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i;
const list = (value: unknown) => (typeof value === 'string' ? [value] : value);

const redisUrl = z.string({ error: REDIS_TEXT }).check(({ value, issues }) => {
  const url = parseWatchUrl(value);
  if (!url.ok) issues.push({ code: 'custom', input: '', message: `redis: ${url.error}` });
});

const options = z.strictObject({
  redis: z.preprocess(list, z.array(redisUrl, { error: REDIS_TEXT }).min(1, REDIS_TEXT).max(MOST_SOURCES, REDIS_TEXT)),
  basePath: z.string({ error: BASE_TEXT }).regex(BASE_PATH, BASE_TEXT).optional(),
  observe: z
    .enum(OBSERVE_LEVELS, { error: 'observe takes snapshot, events, replication or monitor.' })
    .default('events'),
  match: z.preprocess(list, match),
  memory,
  token,
  hosts: z.preprocess(
    list,
    z
      .array(z.string({ error: HOSTS_TEXT }).max(253, HOSTS_TEXT).regex(HOST, HOSTS_TEXT).toLowerCase(), {
        error: HOSTS_TEXT,
      })
      .max(1000, HOSTS_TEXT)
      .default([]),
  ),
  authorize: z.custom<Authorize>((value) => typeof value === 'function', { error: AUTHORIZE_TEXT }).optional(),
  secret: z.string({ error: SECRET_TEXT }).min(16, SECRET_TEXT).max(1000, SECRET_TEXT).optional(),
  configureNotifications: z.boolean({ error: 'configureNotifications takes true or false.' }).default(false),
  allowRelease: z.boolean({ error: 'allowRelease takes true or false.' }).default(false),
  metricsLock: z.preprocess(list, metricsLock),
  otlp: z.string({ error: OTLP_TEXT }).max(4096, OTLP_TEXT).refine(isExportUrl, OTLP_TEXT).optional(),
  log: z.custom<AppLog>(isLog, { error: 'log takes an object with the functions warn and error.' }).optional(),
});

/** Returns the checked options. Throws a `TypeError` that names the first invalid one. */
export function readOptions(given: LockscopeOptions) {
  const read = options.safeParse(given);
  if (!read.success) throw new TypeError(`createLockscope: ${sentenceOf(read.error)}`);
  const { redis, observe, log, memory, ...rest } = read.data;
  const console: AppLog = { warn: globalThis.console.warn, error: globalThis.console.error };
  return {
    ...rest,
    redisUrls: [...new Set(redis)],
    level: observe,
    memory: memoryLimit(memory),
    log: log ?? console,
  };
}

function sentenceOf({ issues: [issue] }: z.ZodError): string {
  if (issue?.code === 'unrecognized_keys') return `there is no option ${issue.keys[0]}.`;
  const flagAsOption = (_: string, flag: string) => flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return issue?.message.replace(/--([a-z-]+)/g, flagAsOption) ?? 'an option has a wrong value.';
}

function isLog(value: unknown): boolean {
  const log = value as Partial<AppLog> | null | undefined; // the code below checks each field
  return typeof log?.warn === 'function' && typeof log.error === 'function';
}
