import { type Millis, millisBetween, type RedisTime } from '../base/time.ts';
import { isOfSource, type LockEvent } from '../events/event.ts';
import { clientOf } from '../events/names/names.ts';
import { TOPIC_OF } from '../events/topics.ts';
import { type QuickTurn, Turns } from './fold-turns.ts';

/** Several events of a busy time, shown as one row of a list. None of them is in trouble. */
export type Fold = QuickTurn | RenewalBatch;

/** The watchdog of one client renewed several leases at once. */
export type RenewalBatch = {
  readonly what: 'renewals';
  readonly events: readonly LockEvent[];
  readonly client: string;
};

/** Turns are folded while the list has more events a second than a reader can follow. */
const BUSY_PER_SECOND = 20;
const SECOND = 1_000_000;
/** A watchdog renews its leases one after the other, or in one script. A batch is never longer than a second. */
const BATCH_GAP: Millis = 250;
/** Fewer renewals than this keep their rows. */
const FEWEST_RENEWALS = 5;

/**
 * Returns what a list of events can fold, in order of the first events. An event is in one fold at most.
 *
 *   events   refused  subscribed  refused  acquired  unsubscribed  released  wake-up     renewed ×100
 *   rows     [ held 5 ms, waited 12 ms                                              ]    [ 100 leases renewed ]
 *
 * A turn is folded only if the second before its end had more than 20 events of the list. An event in trouble is never
 * folded, and neither are the events of a turn during which its lock had trouble. What is folded depends on earlier
 * events only, so a row that was folded stays folded while the list grows.
 */
export function foldsFromEvents(
  events: readonly LockEvent[],
  isInRun: (event: LockEvent) => boolean = () => false,
): Fold[] {
  const turns = new Turns();
  const batches = new Batches();
  const folds: Fold[] = [];
  let secondAgo = 0;
  for (const [place, event] of events.entries()) {
    while ((events[secondAgo]?.at ?? event.at) < event.at - SECOND) secondAgo++;
    const isTrouble = TOPIC_OF[event.type] === 'trouble';
    if (isOfSource(event)) {
      if (isTrouble || event.type === 'blind-spot.began') turns.clear();
    } else if (isTrouble) turns.clearLock(event);
    else if (isInRun(event)) turns.end(event);
    else turns.add(event, place - secondAgo >= BUSY_PER_SECOND);
    batches.add(event);
  }
  const folded = new Set<number>();
  for (const turn of turns.complete()) {
    folds.push(turn);
    for (const { seq } of turn.events) folded.add(seq);
  }
  for (const batch of batches.complete((event) => !folded.has(event.seq))) folds.push(batch);
  return folds.sort((a, b) => firstSeq(a) - firstSeq(b));
}

/** Returns the `seq` of the first event of a fold. */
export function firstSeq({ events }: Fold): number {
  return events[0]?.seq ?? 0;
}

type OpenBatch = { readonly client: string; readonly from: RedisTime; readonly events: LockEvent[] };

/** Collects renewals by a client's watchdog that follow each other closely. */
class Batches {
  readonly #open = new Map<string, OpenBatch>();
  readonly #all: OpenBatch[] = [];

  add(event: LockEvent): void {
    if (event.type !== 'lease.renewed' || event.cause !== 'watchdog' || event.holder === undefined) return;
    const client = clientOf(event.holder);
    const key = `${event.source} ${client}`;
    const open = this.#open.get(key);
    const last = open?.events.at(-1);
    if (open && last && millisBetween(last.at, event.at) <= BATCH_GAP && event.at - open.from <= SECOND) {
      open.events.push(event);
      return;
    }
    const batch = { client, from: event.at, events: [event] };
    this.#open.set(key, batch);
    this.#all.push(batch);
  }

  complete(isFree: (event: LockEvent) => boolean): RenewalBatch[] {
    return this.#all.flatMap(({ client, events }) => {
      if (events.length < FEWEST_RENEWALS) return [];
      const free = events.filter(isFree);
      return free.length < FEWEST_RENEWALS ? [] : [{ what: 'renewals' as const, client, events: free }];
    });
  }
}
