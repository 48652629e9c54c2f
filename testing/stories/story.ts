import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import { isOfClient, type LockEvent } from '../../shared/events/event.ts';
import { Interpreter } from '../../shared/events/interpreter.ts';
import { lockChannel, NON_REENTRANT } from '../../shared/events/names/names.ts';
import type { ClientRow, LineSignal, Signal } from '../../shared/signals/signal.ts';
import { StepAssembler } from '../../shared/signals/step-assembler.ts';

/** The time of a story's second 0, in µs. */
export const STORY_START = 1_795_000_000_000_000;

/** The instant `seconds` into a story. */
export function seconds(count: number): RedisTime {
  return redisTime(STORY_START + Math.round(count * 1_000_000));
}

/** The holder id of a story's actor: each letter is a client, and `A2` is thread 2 of client A. */
export function holderOf(actor: string): string {
  const letter = actor[0] ?? 'A';
  return `${letter.toLowerCase().charCodeAt(0).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000:${actor.slice(1) || '1'}`;
}

type Settings = { lock: string; leaseMs: number };

/**
 * Turns a story into the lines that Redis would show, and returns their events.
 *
 *   orders:42 lease 6s
 *   0.000  A attempts  acquired
 *   2.500  B attempts  refused
 *   2.501  B subscribes
 *   7.000  A releases
 *
 * Verbs:
 * - attempts: `attempts acquired|refused|reentered|cut-off|own-hold`
 * - releases: `releases`, `releases partly`, `releases silently` (no lock, but reported as success), `releases quietly`
 *   (a spin lock), `unlock refused`, `force-unlocks`, `force-unlocks nothing`
 * - renewals: `renews`, `renewal refused`
 * - CLIENT LIST: `leaves` (it is empty), `lists WHO…` (it shows the connection of each named actor, and of each other
 *   client, named in lower case; `A/40` is idle for 40 s, `A@9` was opened 9 s ago, `A=app` has the name app, `a+jedis`
 *   a library), `cannot list`
 * - other lines: `subscribes`, `unsubscribes`, `command WORDS…`, `hears EVENT` (a key event)
 * - reads: `snapshot nothing|ACTOR×COUNT TTLms [LISTENERS]`
 * - blind spots: `loses sight`, `sees again`
 * - `fails over`: a replica is the master from here on; what had been replicated to it is not known
 *
 * Several texts, each about one lock, follow each other.
 */
export function story(...texts: string[]): LockEvent[] {
  return eventsFromSignals(texts.flatMap(signalsFromStory));
}

/** Three lines of a story: an attempt that is refused at a whole second, after which its thread sleeps. */
export const waitsAt = (actor: string, at: number) => `
  ${at}.000 ${actor} attempts refused
  ${at}.001 ${actor} subscribes
  ${at}.002 ${actor} attempts refused`;

export function eventsFromSignals(signals: readonly Signal[]): LockEvent[] {
  const interpreter = new Interpreter({ source: 'story' });
  const assembler = new StepAssembler(true);
  // In a story, CLIENT LIST is requested between commands, while the stream is quiet.
  const steps = signals
    .flatMap((signal) => [...(signal.kind === 'clients' ? assembler.settle() : []), ...assembler.add(signal)])
    .concat(assembler.settle());
  return steps.flatMap((step) => interpreter.interpret(step));
}

/** The signals of a story, for a server that writes pushes before their line. */
export function signalsFromStory(text: string): Signal[] {
  const [first = '', ...lines] = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const settings = settingsFrom(first);
  return lines.flatMap((line) => {
    const [time = '', actor = '', ...words] = line.split(/\s+/);
    return signalsOf(seconds(Number(time)), actor, words.join(' '), settings);
  });
}

function settingsFrom(line: string): Settings {
  const [, lock = '', lease = ''] = /^(\S+) lease ([\d.]+)s$/.exec(line) ?? [];
  if (lock === '') throw new Error(`a story begins with "NAME lease 6s", not with ${line}`);
  return { lock, leaseMs: Number(lease) * 1000 };
}

function signalsOf(at: RedisTime, actor: string, verb: string, { lock, leaseMs }: Settings): Signal[] {
  const holder = holderOf(actor);
  const channel = lockChannel(lock);
  const lease = String(leaseMs);
  const attempt = (...inner: string[][]) => script(at, actor, [lock], [lease, holder], inner);
  const unlock = (...inner: string[][]) => script(at, actor, [lock, channel], ['0', lease, holder], inner);
  const own = ['hexists', lock, holder];
  const expire = ['pexpire', lock, lease];
  const reported = ['publish', channel, '0'];
  const [word = '', ...rest] = verb.split(' ');
  switch (verb) {
    case 'attempts acquired':
      return attempt(['exists', lock], ['hincrby', lock, holder, '1'], expire);
    case 'attempts reentered':
      return attempt(['exists', lock], own, ['hincrby', lock, holder, '1'], expire);
    case 'attempts refused':
      return attempt(['exists', lock], own, ['pttl', lock]);
    case 'attempts cut-off':
      return attempt(['exists', lock], own);
    case 'attempts own-hold': // as a non-reentrant lock does
      return script(at, actor, [lock], [lease, holder, NON_REENTRANT], [['exists', lock], own]);
    case 'releases':
      return unlock(own, ['hincrby', lock, holder, '-1'], ['del', lock], reported);
    case 'releases quietly': // as a spin lock does, which has no channel
      return attempt(own, ['hincrby', lock, holder, '-1'], ['del', lock]);
    case 'releases partly':
      return unlock(own, ['hincrby', lock, holder, '-1'], expire);
    case 'releases silently':
      return unlock(['exists', lock], reported);
    case 'unlock refused':
      return unlock(own);
    case 'renews':
      return attempt(own, expire);
    case 'renewal refused':
      return attempt(own);
    case 'force-unlocks':
      return script(at, actor, [lock, channel], ['0'], [['del', lock], reported]);
    case 'force-unlocks nothing':
      return script(at, actor, [lock, channel], ['0'], [['del', lock]]);
    case 'leaves':
      return [{ kind: 'clients', at, clients: [] }];
    case 'subscribes':
      return [line(at, `${actor}-pubsub`, ['SUBSCRIBE', channel])];
    case 'unsubscribes':
      return [line(at, `${actor}-pubsub`, ['UNSUBSCRIBE', channel])];
    case 'loses sight':
      return [{ kind: 'blind-spot', at, phase: 'began', reason: 'connection-lost' }];
    case 'fails over':
      return [{ kind: 'failover', at, how: 'promoted', from: 'old:1', to: 'new:2', replicatedUntil: null }];
    case 'sees again':
      return [{ kind: 'blind-spot', at, phase: 'ended', reason: 'watching-again' }];
    default:
  }
  if (verb === 'cannot list') return [{ kind: 'clients', at, clients: [], isUnavailable: true }];
  if (word === 'lists') return [{ kind: 'clients', at, clients: rest.map(rowOf) }];
  if (word === 'command') return [line(at, actor, rest)];
  if (word === 'hears') return [{ kind: 'push', at, channel: `__keyspace@0__:${lock}`, message: rest[0] ?? '' }];
  if (word === 'snapshot') return [bookmark(at, lock, rest)];
  throw new Error(`no such verb in stories: ${verb}`);
}

const ROW = /^([\w-]+)(?:\/(\d+))?(?:@(\d+))?(?:=([^+]*))?(?:\+(.*))?$/;

function rowOf(text: string): ClientRow {
  const [, who = '', idle = '0', age = '1', name = '', library = ''] = ROW.exec(text) ?? [];
  const port = /^[A-Z]$/.test(who) ? `${who}-commands` : who;
  return { address: `10.0.0.1:${port}`, name, library, ageSeconds: Number(age), idleSeconds: Number(idle) };
}

function bookmark(
  at: RedisTime,
  lock: string,
  [what = 'nothing', ttl = '', listeners = '']: readonly string[],
): Signal {
  const [actor = '', count = ''] = what.split('×');
  const isHeld = what !== 'nothing';
  const read = {
    db: 0,
    name: lock,
    hasChanged: false,
    type: isHeld ? 'hash' : 'none',
    fields: isHeld ? { [holderOf(actor)]: count } : {},
    pttl: isHeld ? Number.parseInt(ttl, 10) : -2,
    subscribers: listeners === '' ? null : Number(listeners),
  };
  return { kind: 'bookmark', at, reads: [read] };
}

function script(at: RedisTime, actor: string, keys: string[], args: string[], inner: string[][]): LineSignal[] {
  const head = line(at, `${actor}-commands`, ['EVALSHA', '0'.repeat(40), String(keys.length), ...keys, ...args]);
  return [
    head,
    ...inner.map((words, index): LineSignal => ({ ...line(redisTime(at + index + 1), actor, words), client: null })),
  ];
}

function line(at: RedisTime, client: string, words: readonly string[]): LineSignal {
  return { kind: 'line', at, db: 0, client: `10.0.0.1:${client}`, words };
}

/** Events in short form for readable expectations: `lock.acquired A ×1`, `lock.refused B ttl 3500`. */
export function reported(events: readonly LockEvent[]): string[] {
  return events.map((event) => {
    const details: (string | number)[] = [event.type];
    if (isOfClient(event)) details.push(actorOf(`${event.client}:1`));
    if ('holder' in event && event.holder !== undefined) details.push(actorOf(event.holder));
    if ('holdCount' in event && event.holdCount !== undefined) details.push(`×${event.holdCount}`);
    if ('ttlMs' in event && event.ttlMs !== null) details.push(`ttl ${event.ttlMs}`);
    if ('reason' in event && event.reason !== 'held') details.push(event.reason ?? '');
    if (event.certainty === 'inferred') details.push('(inferred)');
    return details.join(' ');
  });
}

function actorOf(holder: string): string {
  const [client = '', thread = ''] = holder.split(':');
  const letter = String.fromCharCode(Number.parseInt(client.slice(0, 8), 16)).toUpperCase();
  return thread === '1' ? letter : `${letter}${thread}`;
}
