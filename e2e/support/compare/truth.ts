/** Microseconds since the epoch, by the clock of the machine the client ran on. */
export type Micros = number;

/** What a call gave back, or the exception it threw. */
export type Outcome = { value: string } | { exception: string; message: string };

/** One operation of one thread, as the thread saw it. */
export type Call = {
  client: string;
  letter: string;
  /** Java thread id: the part of the holder id after the uuid. */
  thread: string;
  op: string;
  kind: string;
  lock: string;
  args: number[];
  called: Micros;
  /** Null: never returned. */
  returned: Micros | null;
  outcome: Outcome | null;
};

/** What clients saw: their uuids (null: not told by this version) and their calls in order of calling. */
export type Truth = {
  uuids: Map<string, string | null>;
  /** Of a client of several servers: its uuid at each. */
  uuidsOfServers: Map<string, readonly string[]>;
  calls: Call[];
  lastAt: Micros;
};

/**
 * Reads truth lines, in any order between threads.
 *
 *   1795218454504371 app ready 9a92fa0b-…
 *   1795218454504371 app A#62 > lock lock orders:42 5000         called
 *   1795218454506371 app A#62 < lock lock orders:42 5000 = ok    returned; `! Exception: message` when it threw
 *
 * Lines that start with `#` are remarks. Throws on a line it cannot read.
 */
export function parseTruth(lines: readonly string[]): Truth {
  const truth: Truth = { uuids: new Map(), uuidsOfServers: new Map(), calls: [], lastAt: 0 };
  const open = new Map<string, Call>();
  for (const line of lines) {
    if (line === '' || line.startsWith('#')) continue;
    const [stamp, client, who, direction, ...words] = line.split(' ');
    const at = Number(stamp);
    if (!Number.isSafeInteger(at) || client === undefined || who === undefined) throw unreadable(line);
    truth.lastAt = Math.max(truth.lastAt, at);
    if (who === 'ready') {
      truth.uuids.set(client, direction === undefined || direction === '?' ? null : direction);
      if (direction !== undefined) truth.uuidsOfServers.set(client, [direction, ...words]);
      continue;
    }
    const thread = `${client} ${who}`;
    if (direction === '>') {
      const call = parseCall(line, client, who, at, words);
      open.set(thread, call);
      truth.calls.push(call);
    } else if (direction === '<') {
      const call = open.get(thread);
      if (!call) throw unreadable(line);
      open.delete(thread);
      call.returned = at;
      call.outcome = parseOutcome(line, words);
    } else {
      throw unreadable(line);
    }
  }
  truth.calls.sort((a, b) => a.called - b.called);
  return truth;
}

function parseCall(line: string, client: string, who: string, called: Micros, words: readonly string[]): Call {
  const [letter, thread] = who.split('#');
  const [op, kind, lock, ...args] = words;
  if (!letter || !thread || !op || !kind || lock === undefined) throw unreadable(line);
  const at = { called, returned: null, outcome: null };
  return { client, letter, thread, op, kind, lock: unescapeName(lock), args: args.map(Number), ...at };
}

function parseOutcome(line: string, words: readonly string[]): Outcome {
  const mark = words.findIndex((word, index) => index > 2 && (word === '=' || word === '!'));
  if (mark === -1) throw unreadable(line);
  const text = words.slice(mark + 1).join(' ');
  if (words[mark] === '=') return { value: text };
  const colon = text.indexOf(': ');
  return colon === -1
    ? { exception: text, message: '' }
    : { exception: text.slice(0, colon), message: text.slice(colon + 2) };
}

/** Blanks, control characters and percent signs of a name stand as `%XX` in truth lines. */
function unescapeName(name: string): string {
  return name.replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function unreadable(line: string): Error {
  return new Error(`not a truth line: ${line}`);
}

/**
 * The locks a call was about: several of a multi lock, one on each server of a RedLock, the group that values are in,
 * and what a transaction locks to write.
 */
export function locksOf({ kind, lock }: Call): string[] {
  if (kind === 'multi' || kind === 'red') return lock.split(',');
  if (kind === 'group') return [lock.slice(0, lock.indexOf('/'))];
  return kind === 'tx' ? [`${lock}:transaction_lock`] : [lock];
}

/** Kinds whose story is acquire, re-enter, release, by one thread on one lock. */
const HELD = new Set(['lock', 'fair', 'fenced', 'spin', 'nonreentrant', 'nonreentrant-fair', 'read', 'write']);

/** True when the call was about a lock that a thread holds: not a semaphore or latch, nor several locks as one. */
export function isHeld({ kind }: Call): boolean {
  return HELD.has(kind);
}

/** True when the call was about a read-write lock. */
export function isShared({ kind }: Call): boolean {
  return kind === 'read' || kind === 'write';
}

/** True when the call gave its thread the lock. */
export function hasAcquired(call: Call): boolean {
  if (!call.outcome || !('value' in call.outcome)) return false;
  return (call.op === 'lock' && call.outcome.value === 'ok') || (call.op === 'try' && call.outcome.value === 'true');
}

/** True when the call was a try that came back without the lock. */
export function hasGivenUp(call: Call): boolean {
  return call.op === 'try' && call.outcome !== null && 'value' in call.outcome && call.outcome.value === 'false';
}

/** True when an unlock was answered with `IllegalMonitorStateException`: not held by this thread. */
export function isUnlockRefused(call: Call): boolean {
  return call.op === 'unlock' && thrown(call) === 'IllegalMonitorStateException';
}

/** True when an unlock returned without an exception. */
export function hasUnlocked(call: Call): boolean {
  return call.op === 'unlock' && call.outcome !== null && 'value' in call.outcome;
}

/** The class name of the exception a call threw; undefined when it threw none. */
export function thrown(call: Call): string | undefined {
  return call.outcome && 'exception' in call.outcome ? call.outcome.exception : undefined;
}

/** True when that instant lies between a call and its return, give or take `slack` µs. */
export function isWithin(at: Micros, call: Call, slack: number): boolean {
  return at >= call.called - slack && at <= (call.returned ?? Number.POSITIVE_INFINITY) + slack;
}

/** Puts items with the same key together, in order of first appearance. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
