/** Microseconds since the epoch, by the clock of the machine the client ran on. */
export type Micros = number;

/** The return value of a call, or the exception that it threw. */
type Outcome = { value: string } | { exception: string; message: string };

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
  /** Null if the call never returned. */
  returned: Micros | null;
  outcome: Outcome | null;
};

/** What clients saw: their uuids (null if this version does not report it) and their calls in order. */
export type Truth = {
  uuids: Map<string, string | null>;
  /** The uuids of a client of several servers, one for each server. */
  uuidsOfServers: Map<string, readonly string[]>;
  calls: Call[];
  lastAt: Micros;
};

/**
 * Reads truth lines, in any order between threads.
 *
 *   1795218454504371 app ready 9a92fa0b-…
 *   1795218454504371 app A#62 > lock lock orders:42 5000         called
 *   1795218454506371 app A#62 < lock lock orders:42 5000 = ok    returned; `! Exception: message` if it threw
 *
 * Lines that start with `#` are remarks. Throws on a line it cannot read.
 */
export function parseTruth(lines: readonly string[]): Truth {
  const truth: Truth = { uuids: new Map(), uuidsOfServers: new Map(), calls: [], lastAt: 0 };
  const open = new Map<string, Call>();
  for (const line of lines) {
    if (line === '' || line.startsWith('#')) continue;
    const [stamp, client, letterAndId, direction, ...words] = line.split(' ');
    const at = Number(stamp);
    if (!Number.isSafeInteger(at) || client === undefined || letterAndId === undefined) throw unreadable(line);
    truth.lastAt = Math.max(truth.lastAt, at);
    if (letterAndId === 'ready') {
      truth.uuids.set(client, direction === undefined || direction === '?' ? null : direction);
      if (direction !== undefined) truth.uuidsOfServers.set(client, [direction, ...words]);
      continue;
    }
    const thread = `${client} ${letterAndId}`;
    if (direction === '>') {
      const call = parseCall(line, client, letterAndId, at, words);
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

function parseCall(line: string, client: string, letterAndId: string, called: Micros, words: readonly string[]): Call {
  const [letter, thread] = letterAndId.split('#');
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

/** In truth lines, blanks, control characters and percent signs of a name are written as `%XX`. */
function unescapeName(name: string): string {
  return name.replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function unreadable(line: string): Error {
  return new Error(`not a truth line: ${line}`);
}

/**
 * The locks of a call: the members of a multi lock or RedLock, the group that values belong to, or the lock of a key
 * that a transaction writes.
 */
export function locksOf({ kind, lock }: Call): string[] {
  if (kind === 'multi' || kind === 'red') return lock.split(',');
  if (kind === 'group') return [lock.slice(0, lock.indexOf('/'))];
  return kind === 'tx' ? [`${lock}:transaction_lock`] : [lock];
}

/** Kinds of locks that a thread acquires and releases. */
const HELD = new Set(['lock', 'fair', 'fenced', 'spin', 'nonreentrant', 'nonreentrant-fair', 'read', 'write']);

/** Whether the call was on a lock that a thread holds: not a semaphore or latch, and not several locks together. */
export function isHeld({ kind }: Call): boolean {
  return HELD.has(kind);
}

/** Whether the call was on a read-write lock. */
export function isOnReadWriteLock({ kind }: Call): boolean {
  return kind === 'read' || kind === 'write';
}

/** Whether the call acquired the lock. */
export function hasAcquired(call: Call): boolean {
  if (!call.outcome || !('value' in call.outcome)) return false;
  return (call.op === 'lock' && call.outcome.value === 'ok') || (call.op === 'try' && call.outcome.value === 'true');
}

/** Whether the call was a `tryLock()` that returned without the lock. */
export function hasGivenUp(call: Call): boolean {
  return call.op === 'try' && call.outcome !== null && 'value' in call.outcome && call.outcome.value === 'false';
}

/** Whether an unlock threw `IllegalMonitorStateException`: not held by this thread. */
export function isUnlockRefused(call: Call): boolean {
  return call.op === 'unlock' && thrown(call) === 'IllegalMonitorStateException';
}

/** Whether an unlock returned without an exception. */
export function hasUnlocked(call: Call): boolean {
  return call.op === 'unlock' && call.outcome !== null && 'value' in call.outcome;
}

/** The class name of the exception that a call threw; `undefined` if it threw none. */
export function thrown(call: Call): string | undefined {
  return call.outcome && 'exception' in call.outcome ? call.outcome.exception : undefined;
}

/** Whether `at` is between a call and its return, plus or minus `slack` µs. */
export function isWithin(at: Micros, call: Call, slack: number): boolean {
  return at >= call.called - slack && at <= (call.returned ?? Number.POSITIVE_INFINITY) + slack;
}
