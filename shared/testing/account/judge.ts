import type { LockEvent } from '../../events/event.ts';
import type { Account, Entry } from './account.ts';
import { Confirmations } from './confirmations.ts';
import { type Expected, fits } from './expected.ts';
import { isNewestToken } from './fence.ts';
import { Waits } from './waits.ts';

/** Fields of every event. The rest is compared with the fields that the account lists. */
const COMMON = new Set(['seq', 'at', 'source', 'db', 'lock', 'type', 'kind', 'certainty', 'by', 'because']);
/** Conclusions about several locks together are compared elsewhere, in `group-goldens.test.ts`. */
const OF_GROUPS = new Set(['group', 'groupSeqs', 'groupStep', 'groupEnd', 'groupRound', 'groupSince']);
/** Fields that waiting decides: `Waits` compares them. */
const OF_WAITS = new Set(['attempt', 'asleep', 'wokenBy', 'waitedMs']);

/** An end without a key event is reported this long after the lease at the latest (microseconds). */
const LATEST_END = 3_000_000;

/** An event as a bag of fields. */
export type Told = Pick<LockEvent, 'seq' | 'at' | 'db' | 'lock' | 'type' | 'kind' | 'certainty' | 'by' | 'because'> &
  Readonly<Record<string, unknown>>;

/**
 * Compares the events that Lockscope reports with the account, event by event and field by field, and returns the
 * differences in words. It stops at the first event that is missing, or that should not be there.
 */
export function judge(account: Account, events: readonly LockEvent[], most = 20): string[] {
  return new Judge(account, events as readonly Told[], most).run();
}

class Judge {
  readonly #account: Account;
  readonly #events: readonly Told[];
  readonly #most: number;
  readonly #problems: string[] = [];
  readonly #seqs = new Map<Expected, number>();
  readonly #kinds = new Map<string, string>();
  readonly #waits: Waits;
  readonly #confirmations: Confirmations;
  #unheard: Expected[] = [];
  #next = 0;

  constructor(account: Account, events: readonly Told[], most: number) {
    this.#account = account;
    this.#waits = new Waits(account.book.killed);
    this.#confirmations = new Confirmations(account.awaited);
    this.#events = events;
    this.#most = most;
  }

  run(): string[] {
    for (const entry of this.#account.entries) {
      if (!this.#judgeEntry(entry) || this.#problems.length >= this.#most) return this.#problems;
    }
    this.#takeConcluded(undefined, Number.POSITIVE_INFINITY, []);
    this.#add(this.#missingEnds(({ between }) => between[1] < this.#account.book.readAt - LATEST_END));
    this.#add(this.#confirmations.missing(this.#account.book.readAt));
    const left = this.#events[this.#next];
    if (left) this.#problems.push(`reported, but it never happened: ${nameOf(left)}`);
    return this.#problems;
  }

  /** Compares the events of one step. Returns false if the two lists no longer fit together. */
  #judgeEntry({ at, until, expected }: Entry): boolean {
    const due = [...this.#unheard];
    this.#unheard.push(...expected.filter(({ isUnheard }) => isUnheard));
    const rights = expected.filter(({ isUnheard }) => !isUnheard);
    for (const [n, right] of rights.entries()) {
      this.#takeConcluded(right, until, rights.slice(n));
      this.#add(this.#missingEnds((end) => due.includes(end) && isTaken(end, right)));
      const told = this.#events[this.#next];
      if (!told || !isAbout(right, told)) {
        if (right.isUnsure) continue;
        this.#problems.push(
          `${told ? nameOf(told) : 'nothing'} instead of ${right.type} of ${right.lock} (${JSON.stringify(right.fields)})`,
        );
        return false;
      }
      this.#compare(right, told);
      this.#next++;
    }
    if (rights.length === 0) this.#takeConcluded(undefined, until, []);
    if (at > this.#account.book.readAt) return true;
    this.#add([...this.#waits.overdue(at), ...this.#missingEnds(({ between }) => between[1] < at - LATEST_END)]);
    return true;
  }

  /** Accepts events that no command shows: the end of a wait, and the changed kind of a lock. */
  #takeConcluded(right: Expected | undefined, until: number, rest: readonly Expected[]): void {
    for (;;) {
      const told = this.#events[this.#next];
      if (!told || told.at > until) return;
      if (told.type === 'waiter.dequeued' && told.certainty === 'inferred') {
        this.#add(this.#waits.left(told, rest), told);
        this.#add(this.#kindProblems(told, undefined), told);
      } else if (told.type === 'unlock.unanswered') this.#add(this.#account.answers.problemsOfUnanswered(told), told);
      else if (told.type === 'unlock.latch-left') this.#add(this.#account.answers.problemsOfLitter(told), told);
      else if (told.type === 'replicas.awaited') this.#add(this.#confirmations.problemsOf(told), told);
      else if (told.type === 'lock.learned') this.#learn(told, right);
      else if (this.#takeUnheard(told)) continue;
      else return;
      this.#add(this.#orderProblems(told), told);
      this.#next++;
    }
  }

  /** Compares an event without a line of its own, for example an expiry without a key event. Returns whether one was expected. */
  #takeUnheard(told: Told): boolean {
    const n = this.#unheard.findIndex((right) => isAbout(right, told) && right.fields.holder === told.holder);
    const [right] = n === -1 ? [] : this.#unheard.splice(n, 1);
    if (!right) return false;
    // What the lock is may have been learned meanwhile.
    this.#compare({ ...right, kinds: [...right.kinds, this.#kinds.get(idOf(told)) ?? ''] }, told);
    this.#next++;
    return true;
  }

  /** Ends without a key event must be reported before the next acquisition of the lock, and 3 s later at the latest. */
  #missingEnds(isDue: (end: Expected) => boolean): string[] {
    const missing = this.#unheard.filter(isDue);
    this.#unheard = this.#unheard.filter((end) => !missing.includes(end));
    return missing.flatMap(({ lock, fields, isUnsure }) =>
      isUnsure ? [] : [`the end of ${lock} for ${fields.holder} is not reported`],
    );
  }

  #learn(told: Told, right: Expected | undefined): void {
    const before = this.#kinds.get(idOf(told));
    const page = this.#account.book.find(told.db, told.lock);
    if (told.fencingToken !== undefined && told.kind === before) {
      if (!page || !isNewestToken(page, told)) this.#add([`token ${told.fencingToken} is not the newest`], told);
    } else if (told.kindBefore !== before) this.#add([`it was reported as a ${before}`], told);
    if (right?.lock === told.lock && !right.kinds.includes(told.kind)) this.#add([`it is a ${right.kinds}`], told);
    if (told.by !== undefined) this.#add([`by ${told.by}, which did not say so`], told);
    // Pauses between polls show a spin lock only by inference.
    if (told.certainty !== 'observed' && told.kind !== 'spin-lock') this.#add(['the script shows it'], told);
    this.#kinds.set(idOf(told), told.kind);
  }

  #compare(right: Expected, told: Told): void {
    const problems = [...this.#orderProblems(told), ...this.#kindProblems(told, right)];
    const [from, to] = right.between;
    if (told.at < from || told.at > to) problems.push(`at ${told.at}, not between ${from} and ${to}`);
    if (told.by !== right.by) problems.push(`by ${told.by}, not ${right.by}`);
    if (!right.certainty.includes(told.certainty)) problems.push(`${told.certainty}, not ${right.certainty}`);
    problems.push(...fieldProblems(right, told), ...this.#causeProblems(right, told));
    problems.push(...this.#waits.follow(right, told));
    this.#seqs.set(right, told.seq);
    this.#add(problems, told);
  }

  #orderProblems(told: Told): string[] {
    return told.seq === this.#next + 1 ? [] : [`its place in the order is ${this.#next + 1}`];
  }

  /** A lock whose kind changes needs an event about it, unless this event acquires a free name. */
  #kindProblems(told: Told, right: Expected | undefined): string[] {
    const before = this.#kinds.get(idOf(told));
    this.#kinds.set(idOf(told), told.kind);
    if (right && !right.kinds.includes(told.kind)) return [`kind ${told.kind}, not ${right.kinds}`];
    if (told.type === 'lock.acquired') return [];
    return before === undefined || before === told.kind ? [] : [`kind ${told.kind}, not ${before}`];
  }

  /** An event names the causes that it must name, and besides them only what woke its holder. */
  #causeProblems(right: Expected, told: Told): string[] {
    const named = told.because ?? [];
    if (named.length === 0 && right.because.length === 0 && told.wokenBy === undefined) return [];
    const must = right.because.map((event) => this.#seqs.get(event)).filter((seq) => seq !== undefined);
    const missing = must.filter((seq) => !named.includes(seq)).map((seq) => `because does not name #${seq}`);
    const more = named.filter((seq) => !must.includes(seq));
    return [...missing, ...this.#waits.causeProblems(right, told, more)];
  }

  #add(problems: readonly string[], told?: Told): void {
    this.#problems.push(...problems.map((problem) => (told ? `${nameOf(told)}: ${problem}` : problem)));
  }
}

/** Fields that differ, are missing, or that the account does not have. */
function fieldProblems(right: Expected, told: Told): string[] {
  const problems: string[] = [];
  const compare = (field: string) => {
    if (fits(right.fields[field], told[field])) return;
    problems.push(`${field} is ${JSON.stringify(told[field])}, not ${JSON.stringify(right.fields[field])}`);
  };
  for (const field of Object.keys(right.fields)) compare(field);
  for (const field of Object.keys(told)) if (!(field in right.fields) && isOfAccount(field, told)) compare(field);
  return problems;
}

function isOfAccount(field: string, told: Told): boolean {
  if (COMMON.has(field) || OF_GROUPS.has(field)) return false;
  return !OF_WAITS.has(field) || (field === 'asleep' && told.type === 'permits.refused');
}

/** Whether an event can be the expected one. One that may be missing must also have its certainty. */
function isAbout({ type, lock, db, isUnsure, certainty }: Expected, told: Told): boolean {
  const isSame = told.type === type && told.lock === lock && told.db === db;
  return isSame && (!isUnsure || certainty.includes(told.certainty));
}

/** Whether the lock of an end is taken again, which shows that the end is over. */
function isTaken(end: Expected, { lock, db, type }: Expected): boolean {
  return end.lock === lock && end.db === db && type === 'lock.acquired';
}

function idOf({ db, lock }: Told): string {
  return `${db}:${lock}`;
}

function nameOf({ seq, type, lock, at, ...rest }: Told): string {
  return `#${seq} ${type} of ${lock} at ${at}${rest.holder === undefined ? '' : ` by ${rest.holder}`}`;
}
