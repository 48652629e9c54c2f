import type { LockEvent } from '../../shared/events/event.ts';
import type { Account, Entry } from './account.ts';
import { Confirmations } from './confirmations.ts';
import { CLOCK } from './ends-of-keys.ts';
import { type Expected, fits } from './expected.ts';
import { isNewestToken } from './kinds/fence.ts';
import { Waits } from './waits.ts';

/** Fields that an event of any type may have. The other fields are compared with those that the account lists. */
export const COMMON: ReadonlySet<string> = new Set([
  'seq',
  'at',
  'source',
  'db',
  'lock',
  'type',
  'kind',
  'certainty',
  'by',
  'because',
]);
/** Conclusions about several locks together are compared elsewhere, in `group-goldens.test.ts`. */
const OF_GROUPS = new Set(['group', 'groupSeqs', 'groupStep', 'groupEnd', 'groupRound', 'groupSince']);
/** Fields that waiting decides: `Waits` compares them. */
const OF_WAITS = new Set(['attempt', 'asleep', 'wokenBy', 'waitedMs', 'waitedAtLeast', 'lateMs', 'isOlder']);

/** An end without a key event is reported at most this long after the lease (microseconds). */
const LATEST_END = 3_000_000;

/** An event whose fields are read by name. */
export type Reported = Pick<
  LockEvent,
  'seq' | 'at' | 'db' | 'lock' | 'type' | 'kind' | 'certainty' | 'by' | 'because'
> &
  Readonly<Record<string, unknown>>;

/**
 * Compares the events that Lockscope reports with the account, event by event and field by field, and returns the
 * differences in words. The comparison stops at the first event that is missing or should not be there, or when it has
 * found `most` differences.
 */
export function judge(account: Account, events: readonly LockEvent[], most = 20): string[] {
  return new Judge(account, events as readonly Reported[], most).run();
}

class Judge {
  readonly #account: Account;
  readonly #events: readonly Reported[];
  readonly #most: number;
  readonly #problems: string[] = [];
  readonly #seqs = new Map<Expected, number>();
  readonly #kinds = new Map<string, string>();
  readonly #waits: Waits;
  readonly #confirmations: Confirmations;
  #unheard: Expected[] = [];
  /** Ends that were reported before a line showed them. */
  readonly #early = new Set<Expected>();
  /** The place of the entry that is judged. */
  #entry = 0;
  #next = 0;

  constructor(account: Account, events: readonly Reported[], most: number) {
    this.#account = account;
    this.#waits = new Waits(account.tracker.killed);
    this.#confirmations = new Confirmations(account.awaited);
    this.#events = events;
    this.#most = most;
  }

  run(): string[] {
    for (const [n, entry] of this.#account.entries.entries()) {
      this.#entry = n;
      if (!this.#judgeEntry(entry) || this.#problems.length >= this.#most) return this.#problems;
    }
    this.#takeConcluded(undefined, Number.POSITIVE_INFINITY, []);
    this.#add(this.#missingEnds(({ between }) => between[1] < this.#account.tracker.readAt - LATEST_END));
    this.#add(this.#confirmations.missing(this.#account.tracker.readAt));
    const left = this.#events[this.#next];
    if (left) this.#problems.push(`reported, but it never happened: ${nameOf(left)}`);
    return this.#problems;
  }

  /**
   * Compares the events of one step. Returns false if an expected event is missing, so that no later one can be
   * compared.
   */
  #judgeEntry({ at, until, expected }: Entry): boolean {
    const due = [...this.#unheard];
    this.#unheard.push(...expected.filter((right) => right.isUnheard && !this.#early.has(right)));
    const rights = expected.filter(({ isUnheard }) => !isUnheard);
    for (const [n, right] of rights.entries()) {
      this.#takeConcluded(right, until, rights.slice(n));
      this.#add(this.#missingEnds((end) => due.includes(end) && isTaken(end, right)));
      const reported = this.#events[this.#next];
      if (!reported || !isAbout(right, reported)) {
        if (right.isUnsure) continue;
        this.#problems.push(
          `${reported ? nameOf(reported) : 'nothing'} instead of ${right.type} of ${right.lock} (${JSON.stringify(right.fields)})`,
        );
        return false;
      }
      this.#compare(right, reported);
      this.#next++;
    }
    if (rights.length === 0) this.#takeConcluded(undefined, until, []);
    if (at > this.#account.tracker.readAt) return true;
    this.#add([...this.#waits.overdue(at), ...this.#missingEnds(({ between }) => between[1] < at - LATEST_END)]);
    return true;
  }

  /**
   * Compares events that no single command shows: for example the end of a wait, an unlock without an answer, or the
   * changed kind of a lock.
   */
  #takeConcluded(right: Expected | undefined, until: number, rest: readonly Expected[]): void {
    for (;;) {
      const reported = this.#events[this.#next];
      if (!reported || reported.at > until) return;
      if (reported.type === 'waiter.dequeued' && reported.certainty === 'inferred') {
        this.#add(this.#waits.left(reported, rest), reported);
        this.#add(this.#kindProblems(reported, undefined), reported);
      } else if (reported.type === 'unlock.unanswered')
        this.#add(this.#account.answers.problemsOfUnanswered(reported), reported);
      else if (reported.type === 'unlock.latch-left')
        this.#add(this.#account.answers.problemsOfLitter(reported), reported);
      else if (reported.type === 'replicas.awaited') this.#add(this.#confirmations.problemsOf(reported), reported);
      else if (reported.type === 'lock.learned') this.#learn(reported, right);
      else if (this.#takeUnheard(reported)) continue;
      else return;
      this.#add(this.#orderProblems(reported), reported);
      this.#next++;
    }
  }

  /**
   * Compares an event without a line of its own, for example an expiry without a key event. Returns whether one was
   * expected.
   */
  #takeUnheard(reported: Reported): boolean {
    const isExpected = (right: Expected) => isAbout(right, reported) && right.fields.holder === reported.holder;
    const n = this.#unheard.findIndex(isExpected);
    const right = n === -1 ? this.#soonUnheard(reported.at, isExpected) : this.#unheard.splice(n, 1)[0];
    if (!right) return false;
    // The kind of the lock may have become known since the end, so this kind is right, too.
    this.#compare({ ...right, kinds: [...right.kinds, this.#kinds.get(idOf(reported)) ?? ''] }, reported);
    this.#next++;
    return true;
  }

  /** No line shows what Lockscope reads, so it may know the end of a lease shortly before the account: see `isOver`. */
  #soonUnheard(at: number, isExpected: (right: Expected) => boolean): Expected | undefined {
    for (let n = this.#entry + 1; n < this.#account.entries.length; n++) {
      const entry = this.#account.entries[n];
      const found = entry?.expected.find((right) => right.isUnheard && isExpected(right) && !this.#early.has(right));
      if (found) this.#early.add(found);
      if (found || !entry || entry.at > at + CLOCK) return found;
    }
    return undefined;
  }

  /**
   * Ends without a key event must be reported before the next acquisition of the lock, and within 3 s after the lease.
   */
  #missingEnds(isDue: (end: Expected) => boolean): string[] {
    const missing = this.#unheard.filter(isDue);
    this.#unheard = this.#unheard.filter((end) => !missing.includes(end));
    return missing.flatMap(({ lock, fields, isUnsure }) =>
      isUnsure ? [] : [`the end of ${lock} for ${fields.holder} is not reported`],
    );
  }

  #learn(reported: Reported, right: Expected | undefined): void {
    const before = this.#kinds.get(idOf(reported));
    const notes = this.#account.tracker.find(reported.db, reported.lock);
    if (reported.fencingToken !== undefined && reported.kind === before) {
      if (!notes || !isNewestToken(notes, reported))
        this.#add([`token ${reported.fencingToken} is not the newest`], reported);
    } else if (reported.kindBefore !== before) this.#add([`it was reported as a ${before}`], reported);
    if (right?.lock === reported.lock && !right.kinds.includes(reported.kind))
      this.#add([`it is a ${right.kinds}`], reported);
    if (reported.by !== undefined) this.#add([`by ${reported.by}, which did not say so`], reported);
    // Pauses between polls show a spin lock only by inference.
    if (reported.certainty !== 'observed' && reported.kind !== 'spin-lock')
      this.#add(['the script shows it'], reported);
    this.#kinds.set(idOf(reported), reported.kind);
  }

  #compare(right: Expected, reported: Reported): void {
    const problems = [...this.#orderProblems(reported), ...this.#kindProblems(reported, right)];
    const [from, to] = right.between;
    if (reported.at < from || reported.at > to) problems.push(`at ${reported.at}, not between ${from} and ${to}`);
    if (reported.by !== right.by) problems.push(`by ${reported.by}, not ${right.by}`);
    if (!right.certainty.includes(reported.certainty)) problems.push(`${reported.certainty}, not ${right.certainty}`);
    problems.push(...fieldProblems(right, reported), ...this.#causeProblems(right, reported));
    problems.push(...this.#waits.follow(right, reported));
    this.#seqs.set(right, reported.seq);
    this.#add(problems, reported);
  }

  #orderProblems(reported: Reported): string[] {
    return reported.seq === this.#next + 1 ? [] : [`its place in the order is ${this.#next + 1}`];
  }

  /**
   * Checks the kind in an event. If the kind of a lock changes, an event about that must have come before, unless this
   * event acquires a free name.
   */
  #kindProblems(reported: Reported, right: Expected | undefined): string[] {
    const before = this.#kinds.get(idOf(reported));
    this.#kinds.set(idOf(reported), reported.kind);
    if (right && !right.kinds.includes(reported.kind)) return [`kind ${reported.kind}, not ${right.kinds}`];
    if (reported.type === 'lock.acquired') return [];
    return before === undefined || before === reported.kind ? [] : [`kind ${reported.kind}, not ${before}`];
  }

  /** Checks that an event names the causes that it must name, and no others except what woke its holder. */
  #causeProblems(right: Expected, reported: Reported): string[] {
    const named = reported.because ?? [];
    if (named.length === 0 && right.because.length === 0 && reported.wokenBy === undefined) return [];
    const must = right.because.map((event) => this.#seqs.get(event)).filter((seq) => seq !== undefined);
    const missing = must.filter((seq) => !named.includes(seq)).map((seq) => `because does not name #${seq}`);
    const more = named.filter((seq) => !must.includes(seq));
    return [...missing, ...this.#waits.causeProblems(right, reported, more)];
  }

  #add(problems: readonly string[], reported?: Reported): void {
    this.#problems.push(...problems.map((problem) => (reported ? `${nameOf(reported)}: ${problem}` : problem)));
  }
}

/** Fields that differ, are missing, or that the account does not have. */
function fieldProblems(right: Expected, reported: Reported): string[] {
  const problems: string[] = [];
  const compare = (field: string) => {
    if (fits(right.fields[field], reported[field])) return;
    problems.push(`${field} is ${JSON.stringify(reported[field])}, not ${wordsOf(right.fields[field])}`);
  };
  for (const field of Object.keys(right.fields)) compare(field);
  for (const field of Object.keys(reported))
    if (!(field in right.fields) && isOfAccount(field, reported)) compare(field);
  return problems;
}

/** A check has no value to show. */
function wordsOf(right: unknown): string {
  return typeof right === 'function' ? 'a value that the account allows' : JSON.stringify(right);
}

function isOfAccount(field: string, reported: Reported): boolean {
  if (COMMON.has(field) || OF_GROUPS.has(field)) return false;
  return !OF_WAITS.has(field) || (field === 'asleep' && reported.type === 'permits.refused');
}

/** Whether an event can be the expected one. If the expected event may be missing, the certainty must agree as well. */
function isAbout({ type, lock, db, isUnsure, certainty }: Expected, reported: Reported): boolean {
  const isSame = reported.type === type && reported.lock === lock && reported.db === db;
  return isSame && (!isUnsure || certainty.includes(reported.certainty));
}

/** Whether the lock is acquired again after an end, which shows that the hold had ended. */
function isTaken(end: Expected, { lock, db, type }: Expected): boolean {
  return end.lock === lock && end.db === db && type === 'lock.acquired';
}

function idOf({ db, lock }: Reported): string {
  return `${db}:${lock}`;
}

function nameOf({ seq, type, lock, at, ...rest }: Reported): string {
  return `#${seq} ${type} of ${lock} at ${at}${rest.holder === undefined ? '' : ` by ${rest.holder}`}`;
}
