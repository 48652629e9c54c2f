import { parseRedisUrl, type RedisUrl } from '../../shared/base/redis-url.ts';
import { ok, type Result } from '../../shared/base/result.ts';
import { isSafeName, nameOfUrl } from '../bus/bus-keys.ts';
import { type WatchConfig, watchConfig } from '../check/config.ts';
import { type Flags, type Given, PAGE_FLAGS } from '../cli/flags.ts';
import { type Refusal, wrongUsage } from '../cli/usage-problem.ts';
import { storeConfig } from '../store/config.ts';
import type { StoreTask } from '../store/thread-messages.ts';

/** `lockscope observe`: watches one source and writes it to a bus. */
export type ObserverConfig = WatchConfig & {
  readonly command: 'fleet-observe';
  readonly bus: RedisUrl;
  /** The name of the source on the bus. */
  readonly name: string;
  /** How much of a source is kept on the bus, in bytes. */
  readonly busBytes: number;
};

/** `lockscope store`: writes the entries of a bus into a store. */
export type StoreWriterConfig = {
  readonly command: 'fleet-store';
  readonly bus: RedisUrl;
  readonly store: StoreTask;
  readonly json: boolean;
};

/** Flags of the demo that the fleet demo does not have. */
const NOT_IN_FLEET_DEMO = [
  ...(['redis', 'observe', 'match', 'configure-notifications', 'allow-release', 'record'] as const),
  ...(['metrics-lock', 'otlp', 'webhook', 'webhook-template'] as const),
];

/** `usual`: the Redis of the environment. */
export function observerConfig(
  words: readonly string[],
  flags: Flags,
  given: Given,
  env: NodeJS.ProcessEnv,
  usual: string,
): Result<ObserverConfig, Refusal> {
  const misplaced = PAGE_FLAGS.find(given);
  if (misplaced !== undefined) return wrongUsage(`"lockscope observe" serves no page. Leave out --${misplaced}.`);
  if (words.length > 1) {
    return wrongUsage('"lockscope observe" takes one Redis URL. Start one observer for each server.');
  }
  const bus = busUrl('observe', flags, env);
  if (!bus.ok) return bus;
  const watched = watchConfig([words[0] ?? usual], flags);
  if (!watched.ok) return watched;
  const name = flags.as ?? nameOfUrl(watched.value.redisUrls[0] ?? usual);
  if (!isSafeName(name)) {
    return wrongUsage('--as takes 1 to 100 letters, digits, ".", "_" and "-", and begins with a letter or digit.');
  }
  const { 'bus-size': busBytes } = flags;
  return ok({ command: 'fleet-observe', ...watched.value, bus: bus.value, name, busBytes });
}

export function storeWriterConfig(
  words: readonly string[],
  flags: Flags,
  given: Given,
  env: NodeJS.ProcessEnv,
): Result<StoreWriterConfig, Refusal> {
  if (words.length > 0) return wrongUsage('"lockscope store" takes no URL. Name the bus with --bus.');
  const misplaced = PAGE_FLAGS.find(given);
  if (misplaced !== undefined) return wrongUsage(`"lockscope store" serves no page. Leave out --${misplaced}.`);
  const bus = busUrl('store', flags, env);
  if (!bus.ok) return bus;
  const store = storeConfig(flags, env, given);
  if (!store.ok) return store;
  if (!store.value)
    return wrongUsage(
      '"lockscope store" needs a store: --store FILE or --store postgres://HOST/DATABASE, or LOCKSCOPE_STORE.',
    );
  return ok({ command: 'fleet-store', bus: bus.value, store: store.value, json: flags.json });
}

/** Why `lockscope demo --fleet` cannot be started like this; `undefined` if it can. */
export function fleetDemoProblem(words: readonly string[], given: Given): string | undefined {
  if (words.length > 0) {
    return '"lockscope demo --fleet" takes no URL. For servers of your own: "lockscope observe URL --bus BUS".';
  }
  const misplaced = NOT_IN_FLEET_DEMO.find(given);
  if (misplaced === undefined) return undefined;
  return `"lockscope demo --fleet" is a viewer of private servers. Leave out --${misplaced}, or leave out --fleet.`;
}

/** The bus of `--bus` or `LOCKSCOPE_BUS`. The error has no password. */
export function busUrl(command: string, flags: Pick<Flags, 'bus'>, env: NodeJS.ProcessEnv): Result<RedisUrl, Refusal> {
  const text = flags.bus ?? (env.LOCKSCOPE_BUS || undefined);
  if (text === undefined) {
    return wrongUsage(`"lockscope ${command}" needs a bus: --bus redis://HOST, or LOCKSCOPE_BUS.`);
  }
  const url = parseRedisUrl(text);
  return url.ok ? url : wrongUsage(`--bus: ${url.error}`);
}
