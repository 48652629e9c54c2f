import type { JudgedRun } from './account.ts';
import { type Expected, near, timesOf } from './expected.ts';
import { endAll, hadNoEnd, holdersOf, holdsIn, isShortened } from './holds.ts';
import { noteRead } from './kinds/fence.ts';
import { returned as membersReturned } from './kinds/sets.ts';
import { changeOf, refused, released, tokenEvent, tokenIn } from './kinds/tokens.ts';
import { nameOf } from './names.ts';
import type { Copy, Loss, Replayed } from './replay.ts';
import type { LockNotes, Tracker } from './tracker.ts';
import { clientOf } from './tracker.ts';

const SIGNALS = 'lock-signal:';

/** In microseconds: a transaction of reads by Lockscope takes less than this. */
const READ_WITHIN = 100_000;

/** The effects on locks of commands outside of scripts. */
export function plainCommand(run: JudgedRun, all: ReadonlyMap<string, Copy>): Expected[] {
  const { tracker, head } = run;
  const address = head.client ?? '';
  const [, ...words] = head.words;
  switch (nameOf(head.words)) {
    case 'client':
    case 'hello': {
      const n = words.findIndex((word) => word.toUpperCase() === 'SETNAME');
      if (n !== -1) tracker.connections.set(address, words[n + 1] ?? '');
      return [];
    }
    case 'subscribe':
    case 'ssubscribe':
      return words.flatMap((channel) => listening(run, channel, true));
    case 'blpop':
      return sleeping(run, words[0] ?? '');
    case 'unsubscribe':
    case 'sunsubscribe':
      return words.flatMap((channel) => listening(run, channel, false));
    case 'del':
    case 'unlink':
      return words.flatMap((name) => deleted(run, name, run.before(name)));
    case 'delex':
      return compared(run, words[0] ?? '');
    case 'flushdb':
      return [...all].flatMap(([name, copy]) => deleted(run, name, copy));
    case 'zrem':
      return membersReturned(run, words[0] ?? '', words.slice(1));
    case 'pexpire':
    case 'expire':
    case 'persist':
      return leaseSet(run, words[0] ?? '');
    case 'set':
    case 'setnx':
      return tokenSet(run, words[0] ?? '');
    case 'getrange':
      noteRead(run, words[0] ?? '');
      return [];
    case 'pubsub':
      return words.slice(1).flatMap((channel) => counted(run, channel));
    case 'publish':
      return published(run, words[0] ?? '', words[1] ?? '');
    default:
      return [];
  }
}

/** A client of python-redis-lock sleeps at the list into which a release puts an item. */
function sleeping(run: JudgedRun, list: string): Expected[] {
  if (!list.startsWith(SIGNALS)) return [];
  const lock = `lock:${list.slice(SIGNALS.length)}`;
  const { tracker, head } = run;
  const library = 'python-redis-lock';
  tracker.sure.add(library);
  tracker.listen(head.client ?? '', list, true);
  const holder = (token: unknown) => token !== tokenIn(run.before(lock));
  const fields = { channel: list, holder, subscribers: 1, library };
  return [tokenEvent(run, lock, 'waiter.subscribed', fields, { wait: { role: 'listen', channel: list } })];
}

/** The lock of a channel, and its kind if the channel shows it. */
function aboutChannel(channel: string): { name: string; kind?: string; holder?: string } | undefined {
  const latch = /^redisson_countdownlatch__channel__\{(.*)\}$/s.exec(channel);
  if (latch) return { name: latch[1] ?? '', kind: 'latch' };
  const match = /^(redisson_lock__channel|redisson_rwlock|redisson_sc):(.*)$/s.exec(channel);
  if (!match) return undefined;
  const [, prefix, rest = ''] = match;
  if (prefix !== 'redisson_lock__channel')
    return { name: rest, kind: prefix === 'redisson_sc' ? 'semaphore' : 'read-write-lock' };
  const own = /^(.*\}.*):([^:]+:-?\d+)$/s.exec(rest);
  return own ? { name: own[1] ?? '', kind: 'fair-lock', holder: own[2] ?? '' } : { name: rest };
}

/** The name of a lock, without the braces that channels and keys put around it. */
export function lockNamed(run: Pick<JudgedRun, 'tracker' | 'head'>, name: string): string {
  const inside = name.startsWith('{') && name.endsWith('}') ? name.slice(1, -1) : name;
  return [name, inside].find((each) => run.tracker.find(run.head.db, each)) ?? inside;
}

function listening(run: JudgedRun, channel: string, isBeginning: boolean): Expected[] {
  const { tracker, head } = run;
  const address = head.client ?? '';
  tracker.listen(address, channel, isBeginning);
  const about = aboutChannel(channel);
  if (!about) return [];
  const lock = lockNamed(run, about.name);
  const notes = tracker.notes(head.db, lock, about.kind ?? 'lock');
  const { holder } = about;
  const prefix = holder === undefined ? undefined : channel.slice(0, -holder.length);
  const isMeant = (each: string) => (prefix === undefined ? each === channel : each.startsWith(prefix));
  const subscribers = tracker.listeners(isMeant, head.at);
  const isCounter = ['semaphore', 'expirable-semaphore', 'latch'].includes(notes.kind);
  const own = holder === undefined ? tracker.listenerOn(address, channel) : { holder, client: clientOf(holder) };
  const listenerOn = tracker.listenerOn(address, channel);
  const client = (reported: unknown) => reported === undefined || listenerOn.client(reported);
  const who = isCounter ? { holder: tracker.connections.get(address) ?? address, client } : own;
  const type = isBeginning ? 'waiter.subscribed' : 'waiter.unsubscribed';
  return [
    run.expect(
      lock,
      type,
      { channel, subscribers, ...who },
      { wait: { role: isBeginning ? 'listen' : 'leave', channel } },
    ),
  ];
}

/** Lockscope counts listeners: those of a killed client may be missing, which no line shows. */
function counted(run: JudgedRun, channel: string): Expected[] {
  const { tracker, head } = run;
  const about = aboutChannel(channel);
  if (!about || !tracker.hasKilledListener(channel, head.at)) return [];
  const subscribers = tracker.listeners((each) => each === channel, head.at);
  const fields = { channel, subscribers };
  const event = run.expect(lockNamed(run, about.name), 'waiter.unsubscribed', fields, { certainty: ['inferred'] });
  return [{ ...event, by: undefined, between: [head.at, head.at + READ_WITHIN], isUnsure: true, isUnheard: true }];
}

function published(run: JudgedRun, channel: string, message: string): Expected[] {
  const about = aboutChannel(channel);
  if (!about) return [];
  const holder = about.holder === undefined ? {} : { holder: about.holder };
  const lock = lockNamed(run, about.name);
  return [
    run.expect(lock, 'wakeup.published', { channel, message, ...holder }, { wait: { role: 'message', channel } }),
  ];
}

/** A key that a command deleted: a lock, or the queue of a fair lock. */
function deleted(run: JudgedRun, name: string, copy: Copy | undefined): Expected[] {
  const { tracker, head } = run;
  const command = nameOf(head.words).toUpperCase();
  const notes = tracker.find(head.db, name);
  if (copy?.content.type === 'list' && name.startsWith('redisson_lock_queue:')) {
    const lock = lockNamed(run, name.slice('redisson_lock_queue:'.length));
    return copy.content.items.map((holder) =>
      run.expect(lock, 'waiter.dequeued', { holder, reason: 'deleted', command }),
    );
  }
  if (notes?.kind === 'token-lock') return tokenDeleted(run, name, tokenIn(copy));
  if (!copy || !notes || holdsIn(copy).size === 0) return [];
  const type = command === 'FLUSHDB' ? 'db.flushed' : 'lock.deleted';
  const event = run.expect(name, type, { command, ...holdersOf(copy) }, { wait: { role: 'loss' } });
  endAll(run, name, 'gone');
  return [event];
}

/**
 * A plain DEL names no token: if the connection that last held the lock sends it, it is a release, otherwise a
 * deletion.
 */
function tokenDeleted(run: JudgedRun, lock: string, token: string | undefined): Expected[] {
  const { tracker, head } = run;
  const notes = tracker.notes(head.db, lock, 'token-lock');
  const own = notes.tokenAt.get(head.client ?? '');
  const inferred = { certainty: ['inferred'] };
  if (own !== undefined && token === own) return [released(run, lock, own, inferred)];
  if (token === undefined) return own === undefined ? [] : refused(run, lock, own, 'unlock.refused', inferred);
  notes.holds.delete(token);
  notes.ended.set(token, 'gone');
  const late = own === undefined ? {} : { late: own };
  const fields = { command: nameOf(head.words).toUpperCase(), holder: token, holders: [token], ...late };
  return [tokenEvent(run, lock, 'lock.deleted', fields, { wait: { role: 'loss' } })];
}

/** DELEX deletes a key only if it has the caller's token. */
function compared(run: JudgedRun, lock: string): Expected[] {
  const token = run.head.words[3] ?? '';
  const changed = changeOf(run, lock);
  return changed.length > 0 ? changed : refused(run, lock, token, 'unlock.refused', ANY_CERTAINTY);
}

const ANY_CERTAINTY = { certainty: ['observed', 'inferred'] };

function leaseSet(run: JudgedRun, lock: string): Expected[] {
  const key = run.after(lock);
  const notes = run.tracker.find(run.head.db, lock);
  if (!key || !notes) return [];
  const lease = key.expiresAt === null ? { expiresAt: null } : { expiresAt: near(key.expiresAt, 1000) };
  const leaseMs = key.expiresAt === null ? {} : { leaseMs: near((key.expiresAt - run.head.at) / 1000, 1) };
  const type = isShortened(run, lock) ? 'lease.shortened' : 'lease.renewed';
  const fields = { cause: 'command', ...hadNoEnd(run, lock), ...lease, ...leaseMs };
  return [notes.kind === 'token-lock' ? tokenEvent(run, lock, type, fields) : run.expect(lock, type, fields)];
}

/** A plain SET of a string that a library uses as a lock. */
function tokenSet(run: JudgedRun, lock: string): Expected[] {
  if (!run.tracker.tokenNames.has(lock)) return [];
  const [, , token = '', ...options] = run.head.words;
  const words = [...options.map((word) => word.toUpperCase()), ...(nameOf(run.head.words) === 'setnx' ? ['NX'] : [])];
  // An application may use the name for another value.
  const isConditional = words.some((word) => ['NX', 'XX', 'IFEQ'].includes(word));
  if (!isConditional && run.tracker.find(run.head.db, lock)?.kind !== 'token-lock') return [];
  const changed = changeOf(run, lock);
  if (changed.length > 0) return changed;
  if (words.includes('NX')) return refused(run, lock, token, 'lock.refused');
  const isOwn = tokenIn(run.before(lock)) === token;
  return isOwn || !(words.includes('XX') || words.includes('IFEQ'))
    ? []
    : refused(run, lock, token, 'renewal.refused', ANY_CERTAINTY);
}

/** Holds that ended because Redis expired their key. */
export function lossesOf({ losses, step }: Replayed, tracker: Tracker): Expected[] {
  return losses.flatMap((loss) => expired(loss, tracker, step.kind === 'push' ? step.at : timesOf(step)[1]));
}

/** In µs: this long after its end, a lease is over for certain, whether Redis has published that or not. */
const GRACE = 1_000_000;

/** The holds of an expired hash. That of a group lock has a field for each value instead. */
function fieldsOf(notes: LockNotes, key: Copy): string[] {
  if (notes.kind !== 'group-lock') return [...holdsIn(key).keys()];
  const holders = new Set([...notes.owners.values()].map(({ holder }) => holder));
  notes.owners.clear();
  return [...holders];
}

function expired({ db, name, key, heardAt, slack }: Loss, tracker: Tracker, until: number): Expected[] {
  const notes = tracker.find(db, name);
  if (!notes) return [];
  const end = key.expiresAt ?? until;
  const latest = Math.max(end, until, heardAt === undefined ? 0 : tracker.heardUntil);
  if (heardAt !== undefined) tracker.heardUntil = latest;
  const token = notes.kind === 'token-lock' ? tokenIn(key) : undefined;
  const library = token === undefined ? {} : tracker.signOf(name);
  const fields = token === undefined ? fieldsOf(notes, key) : [token];
  const kinds = tracker.kindsOf(db, name);
  if (heardAt === undefined) notes.unheardEnd = end;
  return fields.map((field) => {
    const holder = field.replace(/:write$/, '');
    const shared = holder === field ? 'read' : 'write';
    const mode = notes.kind === 'read-write-lock' ? shared : 'exclusive';
    const because = [notes.holds.get(field)].filter((event) => event !== undefined);
    notes.holds.delete(field);
    notes.ended.set(field, 'expired');
    return {
      ...{ type: 'lease.expired', db, lock: name, kinds, by: undefined, because },
      between: [end - 1000 - slack, latest + 1000] as const,
      certainty: heardAt === undefined ? ['inferred'] : until > end + GRACE ? ANY_CERTAINTY.certainty : ['observed'],
      fields: { holder, mode, expiresAt: near(end, 1000), ...library },
      wait: { role: 'loss' as const },
      ...(heardAt === undefined ? { isUnheard: true } : undefined),
    };
  });
}
