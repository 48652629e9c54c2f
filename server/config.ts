import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type RedisUrl, topologyOf } from '../shared/base/redis-url.ts';
import { ok, type Result } from '../shared/base/result.ts';
import type { ObserveLevel } from '../shared/wire/source.ts';
import { type CheckConfig, checkConfig, type RunConfig, runConfig } from './check/config.ts';
import { commandIn, misplacedFlag } from './cli/commands.ts';
import { FLAGS, type Flags, flagProblem, flagValues, type Given } from './cli/flags.ts';
import { checkUrls, type Refusal, wrongUsage } from './cli/usage-problem.ts';
import { type DoctorConfig, doctorConfig } from './doctor/config.ts';
import {
  busUrl,
  fleetDemoProblem,
  type ObserverConfig,
  observerConfig,
  type StoreWriterConfig,
  storeWriterConfig,
} from './fleet/config.ts';
import { ownPart, viewedPart } from './fleet/store-part.ts';
import { isLoopbackHost } from './http/guard/loopback.ts';
import { readTls, type TlsConfig } from './http/tls.ts';
import { type OtlpConfig, type OtlpProblem, otlpConfig } from './otlp/config.ts';
import { storeConfig } from './store/config.ts';
import type { StoreTask } from './store/thread-messages.ts';
import { type TopConfig, topConfig } from './top/config.ts';
import { webhookConfig } from './webhook/config.ts';
import type { WebhookConfig } from './webhook/webhook.ts';

/** The checked command line. Redis URLs still contain their passwords: never print them. */
export type Config =
  | { readonly command: 'help' | 'version' }
  | DoctorConfig
  | CheckConfig
  | RunConfig
  | TopConfig
  | ObserverConfig
  | StoreWriterConfig
  | ServeConfig;

/** The commands that serve the page. */
export type ServeConfig = {
  readonly command: 'observe' | 'demo' | 'open' | 'view';
  /** The bus that a viewer reads. */
  readonly bus?: RedisUrl;
  /** A viewer starts its own bus, and the fleet that writes to it. */
  readonly isFleetDemo?: true;
  /** The recording to open. */
  readonly file?: string;
  /** Empty for a recording, for a viewer, and for a demo on its own private Redis. */
  readonly redisUrls: readonly string[];
  readonly level: ObserveLevel;
  readonly match: readonly string[];
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
  /** For HTTPS; absent: plain HTTP. */
  readonly tls?: TlsConfig;
  readonly configureNotifications: boolean;
  /** Memory limit of the whole process, in bytes. */
  readonly memory: number;
  readonly allowRelease: boolean;
  /** The file to record to. */
  readonly record?: string;
  /** The store for events beyond memory; absent: there is none. */
  readonly store?: StoreTask;
  readonly webhook?: WebhookConfig;
  /** Where to export to over OTLP, or why that is not possible. */
  readonly otlp?: OtlpConfig | OtlpProblem;
  /** Locks whose names match have metrics of their own. */
  readonly metricsLocks?: readonly string[];
  readonly open: boolean;
  readonly json: boolean;
};

const DEFAULT_REDIS = 'redis://127.0.0.1:6379';
const ONE_SERVER = '--redis takes one server for the demo, such as redis://127.0.0.1:6379.';
/** Shortest token allowed if other machines can reach the page, and so can guess tokens. */
const LEAST_TOKEN_LENGTH = 16;

/** Parses the command line and the environment. The error is one line that names the first problem. */
export function parseConfig(argv: readonly string[], env: NodeJS.ProcessEnv): Result<Config, Refusal> {
  const { values, positionals, tokens } = parseArgs({
    args: [...argv],
    options: FLAGS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    const problem = token.kind === 'option' ? flagProblem(token) : undefined;
    if (problem !== undefined) return wrongUsage(problem);
  }
  if (values.help) return ok({ command: 'help' });
  if (values.version) return ok({ command: 'version' });

  const token = givenToken(values, env);
  if (!token.ok) return token;
  const checked = flagValues.safeParse({ ...values, token: token.value });
  if (!checked.success) return wrongUsage(checked.error.issues[0]?.message ?? 'A flag has a wrong value.');
  const command = commandIn(positionals);
  const words = command === undefined ? positionals : positionals.slice(1);
  const given: Given = (flag) => values[flag] !== undefined;
  const misplaced = misplacedFlag(command, given);
  if (misplaced !== undefined) return wrongUsage(misplaced);
  switch (command) {
    case 'open':
      return openConfig(words, checked.data);
    case 'doctor':
      return doctorConfig(words, checked.data, redisOf(env));
    case 'check':
      return checkConfig(words, checked.data, redisOf(env));
    case 'run': {
      const end = tokens.find(({ kind }) => kind === 'option-terminator');
      const program = end === undefined ? [] : argv.slice(end.index + 1);
      return runConfig(words.slice(0, words.length - program.length), program, checked.data, redisOf(env));
    }
    case 'top':
      return topConfig(words, checked.data, given, redisOf(env));
    case 'observe':
      return observerConfig(words, checked.data, given, env, redisOf(env));
    case 'store':
      return storeWriterConfig(words, checked.data, given, env);
    case 'view':
      return viewConfig(words, checked.data, given, env);
    case 'demo':
      if (checked.data.fleet) return fleetDemoConfig(words, checked.data, given);
      if (words.length > 0) return wrongUsage('"lockscope demo" takes no URL. To use your own Redis: --redis URL.');
      if (topologyOf(checked.data.redis ?? '') !== undefined) return wrongUsage(ONE_SERVER);
      return withExports(
        serveConfig('demo', checked.data.redis === undefined ? [] : [checked.data.redis], checked.data),
        checked.data,
        env,
      );
    case undefined: {
      const store = storeConfig(checked.data, env, given);
      if (!store.ok) return store;
      const config = serveConfig('observe', words.length > 0 ? words : [redisOf(env)], checked.data);
      const kept =
        config.ok && store.value
          ? ok({ ...config.value, store: ownPart(store.value, config.value.redisUrls) })
          : config;
      return withExports(kept, checked.data, env);
    }
  }
}

/** `lockscope view`: the pages of every source on a bus. */
function viewConfig(
  words: readonly string[],
  flags: Flags,
  given: Given,
  env: NodeJS.ProcessEnv,
): Result<ServeConfig, Refusal> {
  if (words.length > 0) return wrongUsage('"lockscope view" takes no URL. Name the bus with --bus.');
  const bus = busUrl('view', flags, env);
  if (!bus.ok) return bus;
  const config = serveConfig('view', [], flags);
  if (!config.ok) return config;
  const store = storeConfig(flags, env, given);
  if (!store.ok) return store;
  return ok({ ...config.value, bus: bus.value, ...(store.value ? { store: viewedPart(store.value) } : {}) });
}

/** `lockscope demo --fleet`: the viewer of a fleet that it starts itself. */
function fleetDemoConfig(words: readonly string[], flags: Flags, given: Given): Result<ServeConfig, Refusal> {
  const problem = fleetDemoProblem(words, given);
  if (problem !== undefined) return wrongUsage(problem);
  const config = serveConfig('view', [], flags);
  return config.ok ? ok({ ...config.value, isFleetDemo: true }) : config;
}

/** Adds the receivers of exports: the webhook, and OpenTelemetry. */
function withExports(
  config: Result<ServeConfig, Refusal>,
  flags: Flags,
  env: NodeJS.ProcessEnv,
): Result<ServeConfig, Refusal> {
  const webhook = webhookConfig(flags, env);
  if (!config.ok) return config;
  if (!webhook.ok) return webhook;
  const otlp = otlpConfig(flags, env);
  if (!otlp.ok) return otlp;
  return ok({
    ...config.value,
    ...(webhook.value === undefined ? {} : { webhook: webhook.value }),
    ...(otlp.value === undefined ? {} : { otlp: otlp.value }),
  });
}

/** The Redis that is watched if the command line names no server. */
function redisOf(env: NodeJS.ProcessEnv): string {
  return env.REDIS_URL || DEFAULT_REDIS;
}

/** The token from `--token`, else from `--token-file`, else from the environment. */
function givenToken(values: Record<string, unknown>, env: NodeJS.ProcessEnv): Result<unknown, Refusal> {
  const file = values['token-file'];
  if (values.token !== undefined && file !== undefined) return wrongUsage('Use --token or --token-file, not both.');
  if (values.token !== undefined) return ok(values.token);
  if (typeof file !== 'string') return ok(env.LOCKSCOPE_TOKEN || undefined);
  try {
    return ok(readFileSync(file, 'utf8').trim());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // what readFileSync throws
    return wrongUsage(`--token-file: cannot read ${file} (${code}). Name a file that holds the token.`);
  }
}

function serveConfig(
  command: ServeConfig['command'],
  urls: readonly string[],
  flags: Flags,
): Result<ServeConfig, Refusal> {
  const redisUrls = checkUrls(urls);
  if (!redisUrls.ok) return redisUrls;
  if (!isLoopbackHost(flags.host)) {
    const problem = tokenProblem(flags);
    if (problem !== undefined) return wrongUsage(problem);
  }
  const tls = tlsFiles(flags);
  if (!tls.ok) return tls;
  const usual = command === 'demo' ? 'monitor' : 'events';
  return ok({
    command,
    redisUrls: redisUrls.value,
    level: flags.observe === 'auto' ? usual : flags.observe,
    match: flags.match,
    host: flags.host,
    port: flags.port,
    token: flags.token,
    configureNotifications: flags['configure-notifications'],
    memory: flags.memory,
    allowRelease: flags['allow-release'],
    ...(tls.value === undefined ? {} : { tls: tls.value }),
    ...(flags.record === undefined ? {} : { record: flags.record }),
    ...(flags['metrics-lock'].length === 0 ? {} : { metricsLocks: flags['metrics-lock'] }),
    open: !flags['no-open'],
    json: flags.json,
  });
}

/** The files for HTTPS; `undefined` if the flags name none. */
function tlsFiles({ 'tls-cert': cert, 'tls-key': key }: Flags): Result<TlsConfig | undefined, Refusal> {
  if (cert === undefined && key === undefined) return ok(undefined);
  if (cert === undefined || key === undefined) {
    return wrongUsage(
      `--tls-${cert === undefined ? 'key' : 'cert'} needs --tls-${cert === undefined ? 'cert' : 'key'} FILE too.`,
    );
  }
  const read = readTls({ cert, key });
  return read.ok ? read : wrongUsage(read.error);
}

function tokenProblem({ host, token }: Flags): string | undefined {
  if (token !== undefined && token.length >= LEAST_TOKEN_LENGTH) return undefined;
  const what = token === undefined ? 'needs a token' : `needs a --token of at least ${LEAST_TOKEN_LENGTH} characters`;
  return (
    `Other machines can reach --host ${host}, so it ${what}. Make one with "openssl rand -hex 16" and pass it as ` +
    'LOCKSCOPE_TOKEN, --token-file FILE or --token TOKEN. Or leave out --host.'
  );
}

function openConfig(words: readonly string[], flags: Flags): Result<Config, Refusal> {
  const [file, ...more] = words;
  if (file === undefined || more.length > 0) return wrongUsage('"lockscope open" takes one file.');
  if (/^(?:rediss?|unix|redis\+\w{1,20}):\/\//i.test(file)) {
    return wrongUsage('"lockscope open" takes a file. To watch a Redis, use "lockscope URL".');
  }
  if (file === '-' || /^https?:\/\//i.test(file)) {
    return wrongUsage('"lockscope open" takes a file of this machine. Save the text to a file first.');
  }
  const config = serveConfig('open', [], flags);
  return config.ok ? ok({ ...config.value, file }) : config;
}
