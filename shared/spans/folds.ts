import { type Millis, millisBetween, type RedisTime } from '../base/time.ts';
import { isOfSource, type LockEvent } from '../events/event.ts';
import { clientOf } from '../events/names/names.ts';
import { TOPIC_OF } from '../events/topics.ts';
import { type QuickTurn, Turns } from './fold-turns.ts';

/** Several events of a busy time, shown as one row of a list. None of them shows a problem. */
export type Fold = QuickTurn | RenewalBatch;

/** The watchdog of one client renewed several leases at once. */
type RenewalBatch = {
  readonly what: 'renewals';
  readonly events: readonly LockEvent[];
  readonly client: string;
};

/** Turns are folded while the list has more events a second than a person can follow. */
const BUSY_PER_SECOND = 20;
const SECOND = 1_000_000;
/**
 * Renewals of a batch are at most this far apart: a watchdog renews its leases one after the other, or in one script. A
 * batch is never longer than a second.
 */
const BATCH_GAP: Millis = 250;
/** Fewer renewals than this keep their rows. */
const FEWEST_RENEWALS = 5;

/**
 * Finds what a list of events can fold, event by event. An event is in one fold at most.
 *
 *   events   refused  subscribed  refused  acquired  unsubscribed  released  wake-up     renewed ×100
 *   rows     [ held 5 ms, waited 12 ms                                              ]    [ 100 renewals       ]
 *
 * - A turn is folded only if the second before its end had more than 20 events of the list.
 * - An event with the topic `trouble` is never folded. A turn is not folded if, during it, its lock or a whole source
 *   had such an event, or a blind spot began.
 * - A turn with five attempts or more is not folded: they may be a dense run.
 * - If a turn took more than a second with its attempts, only its hold is folded.
 *
 * What is folded depends on earlier events only, so a row that was folded stays folded while the list grows.
 */
export class Folder {
  /** The fold of each event, by its `seq`. */
  readonly foldOf = new Map<number, Fold>();
  readonly #turns = new Turns((turn) => this.#take(turn));
  readonly #batches = new Map<string, OpenBatch>();
  /**
   * The times of the last events, the oldest first: a turn is folded after `BUSY_PER_SECOND` of them within a second.
   */
  readonly #times: number[] = [];

  /** Takes the next event of the list. */
  add(event: LockEvent): void {
    const earlier = this.#times.length === BUSY_PER_SECOND ? this.#times.shift() : undefined;
    this.#times.push(event.at);
    const isTrouble = TOPIC_OF[event.type] === 'trouble';
    if (isOfSource(event)) {
      if (isTrouble || event.type === 'blind-spot.began') this.#turns.clear();
    } else if (isTrouble) this.#turns.clearLock(event);
    else {
      const added = this.#turns.add(event, earlier !== undefined && event.at - earlier <= SECOND);
      if (added) this.foldOf.set(event.seq, added);
      else if (event.type === 'lease.renewed') this.#renewed(event);
    }
  }

  #take(turn: QuickTurn): boolean {
    if (turn.events.some(({ seq }) => this.foldOf.has(seq))) return false;
    for (const { seq } of turn.events) this.foldOf.set(seq, turn);
    return true;
  }

  /** Adds a renewal to the batch of its client: renewals by a watchdog that follow each other closely. */
  #renewed(event: LockEvent & { readonly type: 'lease.renewed' }): void {
    if (event.cause !== 'watchdog' || event.holder === undefined) return;
    const client = clientOf(event.holder);
    const key = `${event.source} ${client}`;
    const known = this.#batches.get(key);
    const last = known?.events.at(-1);
    const isNext = known && last && millisBetween(last.at, event.at) <= BATCH_GAP && event.at - known.from <= SECOND;
    const batch = isNext ? known : { what: 'renewals' as const, client, from: event.at, events: [] };
    if (!isNext) this.#batches.set(key, batch);
    batch.events.push(event);
    if (batch.events.length < FEWEST_RENEWALS) return;
    // some of the first renewals may have been folded into a turn that ended in the meantime
    batch.events = batch.events.filter(({ seq }) => (this.foldOf.get(seq) ?? batch) === batch);
    if (batch.events.length >= FEWEST_RENEWALS) for (const { seq } of batch.events) this.foldOf.set(seq, batch);
  }
}

type OpenBatch = { what: 'renewals'; client: string; from: RedisTime; events: LockEvent[] };
