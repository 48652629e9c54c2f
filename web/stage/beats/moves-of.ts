import { millisBetween, type RedisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { MomentChange } from '../script/moments-from-run.ts';

/** The label of an envelope. */
export type MoveLabel =
  | { readonly is: 'eval' | 'subscribe' | 'ok' | 'message' | 'refused' }
  | { readonly is: 'busy'; readonly leftMs: number | null };

/** An envelope between a card and Redis. Times are in screen ms from the instant of the beat. */
type Move = {
  readonly holder: string;
  readonly way: 'to-redis' | 'from-redis';
  readonly label: MoveLabel;
  readonly startMs: number;
  readonly endMs: number;
};

/** The animation of a beat. The clock of the stage is stopped from 0 to `holdMs`; the event lands at `landMs`. */
export type StepAnimation = {
  readonly moves: readonly Move[];
  readonly landMs: number;
  readonly holdMs: number;
  /** When the animation ends, including the part after the clock has started again. */
  readonly endMs: number;
};

/** How long an envelope is on its way. */
const TRAVEL_MS = 420;
/** As `TRAVEL_MS`, in a crowd, for a beat without a caption, or with one that has no new sentence to read. */
const BRISK_MS = 150;
/** When the last mark of the time lens is reached: the acquisition. Then cards, caption and lanes show it as well. */
export const LENS_LAND_MS = 2200;
/** Screen time of the time lens, including opening and closing. */
export const LENS_MS = LENS_LAND_MS + 700;
const BREATH_MS = 120;
/** The pause for a moment without an envelope, such as a fault, an expiry or a renewal that does not come. */
const LOOK_MS = 500;

/**
 * The animation of one beat. If the previous beat is long enough ago, the requests of this beat travel before the
 * event, while the clock runs. For the rest of their way the clock is stopped.
 *
 *   clock      ····runs····│ stopped               │ runs ···
 *   envelope        EVAL ▶ │ ▶ landed ◀ no, 5.5 s  │
 *                          0        landMs       holdMs
 */
export function animationOf(
  reported: MomentChange,
  previousAt: RedisTime,
  { isCrowded, isSilent }: { readonly isCrowded: boolean; readonly isSilent: boolean },
): StepAnimation {
  const { moment } = reported;
  if (moment.kind !== 'event') return { moves: [], landMs: 0, holdMs: LOOK_MS, endMs: LOOK_MS };
  const { event } = moment;
  const holder = takerOf(reported);
  const travelMs = isCrowded && isSilent ? BRISK_MS : TRAVEL_MS;
  const isTaken = event.type === 'lock.acquired' || event.type === 'permits.acquired';
  if (!isCrowded && isTaken && event.wokenBy === 'message') {
    return { moves: [], landMs: LENS_LAND_MS, holdMs: LENS_MS, endMs: LENS_MS };
  }
  if (holder === undefined || WITHOUT_ENVELOPE.has(event.type)) {
    return { moves: [], landMs: 0, holdMs: LOOK_MS, endMs: LOOK_MS };
  }
  const requests = requestsOf(event);
  const gapMs = millisBetween(previousAt, moment.at);
  const landMs = Math.max(0, requests.length * travelMs - Math.max(0, gapMs));
  const moves = requests.map((label, index): Move => {
    const startMs = landMs - (requests.length - index) * travelMs;
    return { holder, way: 'to-redis', label, startMs, endMs: startMs + travelMs };
  });
  const replies: Move[] = [];
  if (event.type === 'lock.released' || event.type === 'permits.released') {
    for (const id of waitersWokenBy(reported)) {
      const startMs = landMs + BREATH_MS;
      const label = { is: 'message' } as const;
      replies.push({ holder: id, way: 'from-redis', label, startMs, endMs: startMs + travelMs });
    }
  }
  if (replies.length === 0) {
    const label: MoveLabel = replyOf(event);
    replies.push({ holder, way: 'from-redis', label, startMs: landMs, endMs: landMs + travelMs });
  }
  const endMs = Math.max(...replies.map((reply) => reply.endMs));
  // renewals repeat all the time: their replies travel while the clock runs
  const holdMs = event.type === 'lease.renewed' ? landMs : endMs;
  return { moves: [...moves, ...replies], landMs, holdMs, endMs };
}

/** Events without a request or reply between a client and Redis. */
const WITHOUT_ENVELOPE: ReadonlySet<LockEvent['type']> = new Set([
  'lease.expired',
  'waiter.queued',
  'waiter.dequeued',
  'waiter.unsubscribed',
  'lock.learned',
  'permits.expired',
  'latch.opened',
]);

/** The holder of an event; for a permit, the client that took it; undefined if the moment has no holder. */
function takerOf({ moment, before }: MomentChange): string | undefined {
  if (moment.kind !== 'event' || !('holder' in moment.event)) return undefined;
  const { holder } = moment.event;
  return holder === undefined ? undefined : (before.takers.get(holder) ?? holder);
}

function requestsOf(event: LockEvent): MoveLabel[] {
  const isJoining = event.type === 'lock.refused' && event.asleep && event.attempt === 2;
  if (isJoining || event.type === 'waiter.subscribed') return [{ is: 'subscribe' }, { is: 'eval' }];
  return [{ is: 'eval' }];
}

/**
 * The waiters that a release wakes: all that sleep, in a fair lock only the head; none while the lock is still held.
 */
function waitersWokenBy({ moment, before, after }: MomentChange): string[] {
  const isPermits = moment.kind === 'event' && moment.event.type === 'permits.released';
  if (!isPermits && (after.lock?.holders.length ?? 0) > 0) return [];
  const sleepers = before.lock?.waiters.filter(({ isAsleep }) => isAsleep) ?? [];
  const isQueue = before.lock?.kind === 'fair-lock';
  return sleepers.filter(({ position }) => !isQueue || position === 1).map(({ id }) => id);
}

function replyOf(event: Extract<MomentChange['moment'], { kind: 'event' }>['event']): MoveLabel {
  if (event.type === 'permits.refused' || event.type === 'waiter.subscribed') return { is: 'busy', leftMs: null };
  if (event.type === 'lock.refused') return { is: 'busy', leftMs: event.ttlMs };
  if (event.type === 'unlock.refused' || event.type === 'renewal.refused') return { is: 'refused' };
  return { is: 'ok' };
}
