import type { LockEvent } from '../event.ts';
import { isHolder } from '../names/names.ts';
import {
  DEAD_SERVER_RETRIES_MS,
  isNextStep,
  isSameLease,
  NEXT_SOURCE_MS,
  NEXT_SOURCE_OF_GROUP_MS,
} from './one-operation.ts';
import { apartMs, type Operation } from './operation.ts';
import type { OperationTracker } from './operation-tracker.ts';

const MOST_ALLIES = 20_000;
/**
 * While there is one source, this many of the newest operations are remembered, or up to twice as many: events of a
 * second source may arrive a moment later.
 */
const MOST_OF_ONE_SOURCE = 64;
const MOST_FIXED_UP = 32;
/** At most this many operations are remembered for one thread number and lock name. */
const MOST_OF_A_THREAD = 32;

/**
 * Finds operations over several servers. A Redisson client knows one server, so an application has one client for each,
 * with its own uuid; the thread number is the same.
 *
 *   redis-1   u1:62 acquired pay          u1 and u2 had a common operation before: they are allies
 *   redis-2   u2:62 acquired pay   1 ms later
 */
export class AcrossSources {
  readonly #sources = new Set<string>();
  readonly #blind = new Set<string>();
  /** The newest operations while no second source is known. */
  readonly #ofOneSource: { operation: Operation; key: string }[] = [];
  /** Operations by thread and lock name: a RedLock is mostly one name on several servers. */
  readonly #byThread = new Map<string, Operation[]>();
  /** The newest fix-ups, each with the operation to which its lock belongs. */
  readonly #fixedUp: { operation: Operation; event: LockEvent; leaseMs: number | undefined; thread: string }[] = [];
  /** By client and source: its ally at that source, a client of the same application. */
  readonly #allies = new Map<string, string>();

  noteSource(source: string): void {
    if (this.#sources.has(source)) return;
    this.#sources.add(source);
    if (this.#sources.size < 2) return;
    for (const { operation, key } of this.#ofOneSource.splice(0)) this.#index(operation, key);
  }

  blindSpotBegan(source: string): void {
    this.#blind.add(source);
  }

  /** Whether a source is in a blind spot: its server may be down for clients as well. */
  get hasDeadSource(): boolean {
    return this.#blind.size > 0;
  }

  blindSpotEnded(source: string): void {
    this.#blind.delete(source);
  }

  /** Makes an operation known, so that attempts on other sources find it. */
  offer(operation: Operation, event: LockEvent, holder: string): void {
    if (!isHolder(holder)) return;
    if (this.#sources.size > 1) return this.#index(operation, keyOf(event, holder));
    this.#ofOneSource.push({ operation, key: keyOf(event, holder) });
    if (this.#ofOneSource.length > 2 * MOST_OF_ONE_SOURCE) this.#ofOneSource.splice(0, MOST_OF_ONE_SOURCE);
  }

  #index(operation: Operation, key: string): void {
    const others = this.#byThread.get(key);
    if (!others) this.#byThread.set(key, [operation]);
    else if (others.length < MOST_OF_A_THREAD) others.push(operation);
    else this.#byThread.set(key, [...others.slice(MOST_OF_A_THREAD / 2), operation]);
  }

  /** The operation on other sources whose next step this attempt may be: the one that fits best. */
  find(event: LockEvent, holder: string, tracker: OperationTracker): Operation | undefined {
    if (this.#sources.size < 2 || !isHolder(holder)) return undefined;
    const candidates = [...(this.#byThread.get(keyOf(event, holder)) ?? []), ...this.#ofAllies(holder, tracker)];
    let best: Operation | undefined;
    for (const operation of candidates) {
      if (!this.#fits(operation, event, holder)) continue;
      if (!best || this.#isBetter(operation, best, event, holder)) best = operation;
    }
    return best;
  }

  /**
   * The operation that is being released, and to which this refused unlock belongs: its lock may be a member that was
   * never held. The operation is the holder's own, or one over several servers with this lock name.
   */
  operationOfRelease(event: LockEvent, holder: string, own: Operation | undefined): Operation | undefined {
    const candidates = [own, ...(this.#byThread.get(keyOf(event, holder)) ?? [])];
    return candidates.find((operation) => {
      if (operation?.releasedAt === undefined || operation.id === undefined) return false;
      if (apartMs(operation.releasedAt, event.at) > NEXT_SOURCE_OF_GROUP_MS) return false;
      const known = operation.holders.get(event.source);
      const [first] = operation.members.values();
      if (known !== undefined) return known === holder;
      return operation.holders.size > 1 && first?.name === event.lock && !this.#isOthersAlly(operation, event, holder);
    });
  }

  /**
   * The operation on another server that belongs to this one: both had the same lease, and plain commands changed it to
   * the same value within 150 ms. The locks may have different names.
   */
  fixedUpWith(operation: Operation, event: LockEvent): Operation | undefined {
    const { leaseMs } = event as { leaseMs?: number }; // this is only called for lease events
    const [[, holder] = ['', '']] = operation.holders;
    const fixedUp = { operation, event, leaseMs, thread: threadPart(holder) };
    const twin = this.#fixedUp.findLast(
      (other) =>
        other.operation !== operation &&
        other.thread === fixedUp.thread &&
        other.leaseMs === leaseMs &&
        other.operation.leaseMs === operation.leaseMs &&
        !other.operation.holders.has(event.source) &&
        apartMs(other.event.at, event.at) <= NEXT_SOURCE_MS,
    );
    this.#fixedUp.push(fixedUp);
    if (this.#fixedUp.length > MOST_FIXED_UP) this.#fixedUp.shift();
    return isHolder(holder) && !(twin && this.#isOthersAlly(twin.operation, event, holder))
      ? twin?.operation
      : undefined;
  }

  /** Notes that `rest` was merged into `operation`. */
  joined(operation: Operation, rest: Operation): void {
    for (const each of this.#fixedUp) if (each.operation === rest) each.operation = operation;
  }

  /** Notes clients that acquired and released together as allies: they belong to one application. */
  confirm({ holders }: Operation): void {
    if (holders.size < 2 || this.#allies.size > MOST_ALLIES) return;
    for (const [source, holder] of holders) {
      for (const [other, ally] of holders) {
        if (other !== source && ally !== holder) this.#allies.set(allyKey(holder, other), clientPart(ally));
      }
    }
  }

  sweep(isKept: (operation: Operation) => boolean): void {
    for (const [key, operations] of this.#byThread) {
      const kept = operations.filter(isKept);
      if (kept.length === 0) this.#byThread.delete(key);
      else this.#byThread.set(key, kept);
    }
  }

  *#ofAllies(holder: string, tracker: OperationTracker): Generator<Operation> {
    for (const source of this.#sources) {
      const ally = this.#allies.get(allyKey(holder, source));
      const operation = ally === undefined ? undefined : tracker.newestOf(`${ally}:${threadPart(holder)}`);
      if (operation) yield operation;
    }
  }

  #fits(operation: Operation, event: LockEvent, holder: string): boolean {
    if (operation.holders.has(event.source) || !isSameLease(operation, event)) return false;
    if (this.#isOthersAlly(operation, event, holder)) return false;
    if (isNextStep(operation, event)) return true;
    const isAfterDeadSource = !operation.isOver && this.hasDeadSource && isOfName(operation, event.lock);
    return isAfterDeadSource && apartMs(operation.triedAt, event.at) <= DEAD_SERVER_RETRIES_MS;
  }

  /** Whether `operation` fits better than `best`: an ally's operation first, otherwise the one closer in time. */
  #isBetter(operation: Operation, best: Operation, event: LockEvent, holder: string): boolean {
    const isAlly = this.#isAlly(operation, holder);
    if (isAlly !== this.#isAlly(best, holder)) return isAlly;
    return apartMs(operation.triedAt, event.at) < apartMs(best.triedAt, event.at);
  }

  #isAlly(operation: Operation, holder: string): boolean {
    return [...operation.holders].some(
      ([source, other]) => this.#allies.get(allyKey(holder, source)) === clientPart(other),
    );
  }

  #isOthersAlly(operation: Operation, event: LockEvent, holder: string): boolean {
    for (const [source, other] of operation.holders) {
      const ally = this.#allies.get(allyKey(holder, source));
      if (ally !== undefined && ally !== clientPart(other)) return true;
      const otherAlly = this.#allies.get(allyKey(other, event.source));
      if (otherAlly !== undefined && otherAlly !== clientPart(holder)) return true;
    }
    return false;
  }
}

function isOfName({ members }: Operation, lock: string): boolean {
  for (const { name } of members.values()) if (name === lock) return true;
  return false;
}

function keyOf({ lock }: LockEvent, holder: string): string {
  return `${threadPart(holder)} ${lock}`;
}

function allyKey(holder: string, source: string): string {
  return `${clientPart(holder)} ${source}`;
}

function threadPart(holder: string): string {
  return holder.slice(37);
}

function clientPart(holder: string): string {
  return holder.slice(0, 36);
}
