import { blockersOf, type LockSpans, type NoHold, type Piece } from './blockers.ts';
import type { Hold } from './holds-from-events.ts';
import type { Wait } from './wait.ts';

/** What a part of a wait was spent on. `circle`: threads waited for each other. */
export const WAIT_CAUSES = ['hold', 'circle', 'waking', 'free', 'evicted-head', 'unclear', 'unseen'] as const;
export type WaitCause = (typeof WAIT_CAUSES)[number];

/** One part of a wait. `lock`: the lock of the cause, which may differ from the one that was waited for. */
export type WaitPart = {
  readonly cause: WaitCause;
  readonly lock: string;
  /** With the cause `hold`: that hold. With the cause `evicted-head`: `holder` is that head. */
  readonly hold?: Hold;
  readonly holder?: string;
  micros: number;
};

/** The longest chain of threads, each waiting for the next one, that is followed. Beyond it, the cause is unclear. */
const LONGEST_CHAIN = 8;
/** How many pieces one wait, and all waits together, are divided into; the remaining time is unclear. */
const MOST_PIECES = 5000;
const MOST_PIECES_OF_ALL = 1_000_000;

type Range = { readonly from: number; readonly to: number };
type Chain = { readonly threads: readonly string[]; readonly share: number; readonly parts: Map<string, WaitPart> };
/** A wait for a lock. `to`: the latest end among this wait and the earlier waits of its thread. */
type OwnWait = { readonly lock: LockSpans; readonly wait: Wait; to: number };

/**
 * Divides waits into what they were spent on. The parts of a wait add up to its length within the range.
 *
 *   y   C holds      [=================]
 *   x   A holds  [==========================]     A waits for y     [........]
 *       B waits for x     [.............]   = C's hold of y, and A's hold of x where A did not wait
 *
 * Several readers in the way of a writer share the time equally. A thread id may belong to several operations at once
 * (asynchronous callers), which cannot be distinguished.
 */
export class WaitDivider {
  readonly #range: Range;
  readonly #waitsOf = new Map<string, OwnWait[]>();
  readonly #pieces = new Map<string, Piece[]>();
  #left = MOST_PIECES_OF_ALL;
  #leftOfWait = 0;

  /** `locks`: all locks with a hold or wait in the range, each once. */
  constructor(locks: Iterable<LockSpans>, from: number, to: number) {
    this.#range = { from, to };
    for (const lock of locks) {
      for (const wait of lock.waits) {
        const own = { lock, wait, to: wait.to ?? Number.POSITIVE_INFINITY };
        const known = this.#waitsOf.get(wait.holder);
        if (known) known.push(own);
        else this.#waitsOf.set(wait.holder, [own]);
      }
    }
    for (const waits of this.#waitsOf.values()) {
      waits.sort((a, b) => a.wait.from - b.wait.from);
      for (const [n, wait] of waits.entries()) wait.to = Math.max(wait.to, waits[n - 1]?.to ?? wait.to);
    }
  }

  /** Finds what blocked all waits, and yields after every part of the work. Call it first, and run it to its end. */
  *prepare(): Generator<void, void, void> {
    for (const waits of this.#waitsOf.values()) {
      for (const { lock, wait } of waits) {
        for (const mode of new Set([wait.mode, modeOfWakeUps(wait)])) {
          const key = keyOf(lock, mode);
          if (!this.#pieces.has(key)) this.#pieces.set(key, yield* blockersOf(lock, mode, this.#range.to));
        }
      }
      yield;
    }
  }

  /** How long a lock was free, each time until the waiter that a message had woken acquired it, in µs. */
  *wakeUps(lock: LockSpans): Generator<number> {
    const [wait] = lock.waits;
    const pieces = wait ? (this.#pieces.get(keyOf(lock, modeOfWakeUps(wait))) ?? []) : [];
    for (const piece of pieces) {
      const isWithin = piece.to >= this.#range.from && piece.to <= this.#range.to;
      if (isWithin && 'cause' in piece && piece.cause === 'waking') yield piece.to - piece.from;
    }
  }

  /** The parts of a wait for one of the locks, the longest first. */
  divide(lock: LockSpans, wait: Wait): WaitPart[] {
    const parts = new Map<string, WaitPart>();
    this.#leftOfWait = Math.min(MOST_PIECES, this.#left);
    this.#left -= this.#leftOfWait;
    const range = within({ from: wait.from, to: wait.to ?? this.#range.to }, this.#range);
    this.#follow(lock, wait.mode, range, { threads: [wait.holder], share: 1, parts });
    this.#left += this.#leftOfWait;
    return [...parts.values()].sort((a, b) => b.micros - a.micros);
  }

  /** Divides a range during which the last thread of the chain waits for this lock. */
  #follow(lock: LockSpans, mode: Wait['mode'], range: Range, chain: Chain): void {
    const pieces = this.#pieces.get(keyOf(lock, mode)) ?? [];
    for (let n = firstAfter(pieces, range.from); n < pieces.length; n++) {
      const piece = pieces[n];
      if (!piece || piece.from >= range.to) break;
      if (this.#leftOfWait <= 0) {
        addPart(chain, within({ ...range, from: piece.from }, range), lock, 'unclear', {});
        break;
      }
      this.#leftOfWait--;
      const part = within(piece, range);
      if ('cause' in piece) addPart(chain, part, lock, piece.cause, { holder: piece.head });
      else for (const hold of piece.holds) this.#charge(lock, hold, part, sharedAmong(chain, piece.holds.length));
    }
  }

  /** Charges a range to a hold, except where its holder itself waits. */
  #charge(lock: LockSpans, hold: Hold, range: Range, chain: Chain): void {
    if (chain.threads.includes(hold.holder)) return addPart(chain, range, lock, 'circle', {});
    const threads = [...chain.threads, hold.holder];
    let at = range.from;
    const waits = this.#waitsOf.get(hold.holder) ?? [];
    for (let n = firstAfter(waits, range.from); n < waits.length; n++) {
      const { lock: other, wait } = waits[n] ?? {};
      if (!other || !wait || wait.from >= range.to) break;
      const waiting = within({ from: wait.from, to: wait.to ?? range.to }, { from: at, to: range.to });
      if (waiting.from >= waiting.to) continue;
      addPart(chain, { from: at, to: waiting.from }, lock, 'hold', { hold });
      if (threads.length > LONGEST_CHAIN) addPart(chain, waiting, other, 'unclear', {});
      else this.#follow(other, wait.mode, waiting, { ...chain, threads });
      at = waiting.to;
    }
    addPart(chain, { from: at, to: range.to }, lock, 'hold', { hold });
  }
}

/**
 * The mode by which wake-ups are measured. For a reader it is that of a writer, so the lock counts as free only while
 * no thread holds it, for reading or for writing.
 */
function modeOfWakeUps({ mode }: Wait): Wait['mode'] {
  return mode === 'read' ? 'write' : mode;
}

function keyOf(lock: LockSpans, mode: Wait['mode']): string {
  return `${mode} ${lock.id}`;
}

function sharedAmong(chain: Chain, among: number): Chain {
  return among === 1 ? chain : { ...chain, share: chain.share / among };
}

function within(a: Range, b: Range): Range {
  return { from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) };
}

type About = { readonly hold?: Hold; readonly holder?: string | undefined };

function addPart({ parts, share }: Chain, { from, to }: Range, lock: LockSpans, cause: NoHold | WaitCause, of: About) {
  if (to <= from) return;
  const micros = (to - from) * share;
  const key = `${cause} ${of.hold?.fromSeq ?? ''} ${of.hold?.holder ?? of.holder ?? ''} ${lock.id}`;
  const known = parts.get(key);
  if (known) known.micros += micros;
  else {
    const about = { ...(of.hold && { hold: of.hold }), ...(of.holder !== undefined && { holder: of.holder }) };
    parts.set(key, { cause, lock: lock.id, ...about, micros });
  }
}

/** The index of the first item that ends after `at`. The items are in order of their ends. */
function firstAfter(all: readonly { readonly to: number }[], at: number): number {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle]?.to ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}
