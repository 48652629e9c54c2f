import { redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { KeyRead } from '../../shared/signals/signal.ts';
import type { CommandStep, Step } from '../../shared/signals/step.ts';
import type { RedisModel } from './redis-model.ts';
import { Replay } from './replay.ts';

/** Interprets steps; the tests pass the product's interpreter. */
type Interpret = (step: Step) => readonly LockEvent[];

/** The part of a trace that is seen: commands or pushes only, from some step on. */
type Sight = { readonly hasCommands: boolean; readonly from: number };

/**
 * Plays a part of a trace. When watching begins, every lock is read. Without commands, a lock is read again after each
 * step that changed it. Reads come from the model of Redis, not from the product.
 *
 *   level monitor   … │ read of every lock │ step · step · step …
 *   level events    … │ read of every lock │ pushes of a step · read of the keys that they name · pushes …
 */
export function playPart(steps: readonly Step[], { hasCommands, from }: Sight, interpret: Interpret): Seen {
  const replay = new Replay(steps);
  const events: LockEvent[] = [];
  const names = new Map<string, string>();
  let since: number | undefined;
  let n = -1;
  for (const { step } of replay.all()) {
    n++;
    if (since !== undefined) events.push(...(hasCommands ? interpret(step) : hear(step, replay.model, interpret)));
    if (step.kind !== 'command') continue; // a push has no time, so watching begins at a command
    noteName(names, step);
    if (since !== undefined || n < from) continue;
    since = step.head.at;
    events.push(...interpret(connected(names, since)));
    events.push(...read(locksIn(replay.model, step.head.db), false, step, replay.model, interpret));
  }
  return { events, since: since ?? Number.POSITIVE_INFINITY };
}

/** The events of a part of a trace, and when it began (microseconds). */
type Seen = { readonly events: LockEvent[]; readonly since: number };

function noteName(names: Map<string, string>, { head: { client, words } }: CommandStep): void {
  if (client === null) return;
  const n = words.findIndex((word) => word.toUpperCase() === 'SETNAME');
  names.set(client, n === -1 ? (names.get(client) ?? '') : (words[n + 1] ?? ''));
}

/** The answer to CLIENT LIST, which is read when watching begins. */
function connected(names: ReadonlyMap<string, string>, at: number): Step {
  const clients = [...names].map(([address, name]) => ({ address, name, library: '', ageSeconds: 60, idleSeconds: 0 }));
  return { kind: 'clients', at: redisTime(at), clients };
}

function hear(step: Step, redis: RedisModel, interpret: Interpret): LockEvent[] {
  if (step.kind === 'push') return [...interpret(step)];
  if (step.kind !== 'command') return [];
  const events = step.pushes.flatMap((push) => interpret(push));
  const changed = new Set(step.pushes.map(({ channel }) => /^__keyspace@\d+__:(.*)$/s.exec(channel)?.[1] ?? ''));
  const locks = [...changed].filter((name) => name !== '' && !BESIDE.test(name));
  return [...events, ...read(locks, true, step, redis, interpret)];
}

/** Keys beside the hash of a lock. */
const BESIDE = /^redisson_|:rwlock_timeout:\d+$/;

function locksIn(redis: RedisModel, db: number): string[] {
  return redis.names(db).filter((name) => redis.find(db, name)?.content.type === 'hash');
}

function read(
  names: readonly string[],
  hasChanged: boolean,
  { head }: CommandStep,
  redis: RedisModel,
  interpret: Interpret,
): LockEvent[] {
  if (names.length === 0) return [];
  const reads = names.map((name) => ({ ...readOf(name, head.db, head.at, redis), hasChanged }));
  return [...interpret({ kind: 'bookmark', at: redisTime(head.at), reads })];
}

function readOf(name: string, db: number, at: number, redis: RedisModel): Omit<KeyRead, 'hasChanged'> {
  const key = redis.find(db, name);
  const fields = key?.content.type === 'hash' ? Object.fromEntries(key.content.fields) : {};
  const pttl = key ? (key.expiresAt === null ? -1 : Math.round((key.expiresAt - at) / 1000)) : -2;
  return { db, name, type: key ? key.content.type : 'none', fields, pttl, subscribers: null };
}
