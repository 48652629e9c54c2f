import { millisBetween, type RedisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { MomentChange } from './moments-from-run.ts';

/** What an envelope carries. */
export type MoveLabel =
  | { readonly is: 'eval' | 'subscribe' | 'ok' | 'message' | 'refused' }
  | { readonly is: 'busy'; readonly leftMs: number | null };

/** An envelope between a card and Redis; times count in screen ms from the instant of the beat. */
export type Move = {
  readonly holder: string;
  readonly way: 'to-redis' | 'from-redis';
  readonly label: MoveLabel;
  readonly startMs: number;
  readonly endMs: number;
};

/** How a beat is performed. The clock of the stage stands still from 0 to `holdMs`; the event lands at `landMs`. */
export type StepAnimation = {
  readonly moves: readonly Move[];
  readonly landMs: number;
  readonly holdMs: number;
  /** When everything of it is over, also what happens while the clock runs on. */
  readonly endMs: number;
};

/** How long an envelope is on its way. */
export const TRAVEL_MS = 420;
/** In a crowd, where nothing is said. */
const BRISK_MS = 150;
/** Screen time of the time lens, its opening and closing included. */
export const LENS_MS = 2500;
const BREATH_MS = 120;
/** A fault, an expiry, a refill that does not come: time to look. */
const LOOK_MS = 500;

/**
 * The envelopes of one beat. Its requests travel before the event, while the clock runs, as far as there is room
 * since the beat before; for the rest of their way the clock stands still.
 *
 *   clock      ····runs····│ stands still          │ runs ···
 *   envelope        EVAL ▶ │ ▶ landed ◀ no, 5.5 s  │
 *                          0        landMs       holdMs
 */
export function performanceOf(
  told: MomentChange,
  previousAt: RedisTime,
  { isCrowded, isSilent }: { readonly isCrowded: boolean; readonly isSilent: boolean },
): StepAnimation {
  const { moment } = told;
  if (moment.kind !== 'event') return { moves: [], landMs: 0, holdMs: LOOK_MS, endMs: LOOK_MS };
  const { event } = moment;
  const holder = takerOf(told);
  const travelMs = isCrowded && isSilent ? BRISK_MS : TRAVEL_MS;
  const isTaken = event.type === 'lock.acquired' || event.type === 'permits.acquired';
  if (!isCrowded && isTaken && event.wokenBy === 'message') {
    return { moves: [], landMs: LENS_MS - 300, holdMs: LENS_MS, endMs: LENS_MS };
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
    for (const id of toldBy(told)) {
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
  // refills repeat all the time: their answers travel while the clock runs on
  const holdMs = event.type === 'lease.renewed' ? landMs : endMs;
  return { moves: [...moves, ...replies], landMs, holdMs, endMs };
}

/** Nothing of these goes between a client and Redis. */
const WITHOUT_ENVELOPE: ReadonlySet<LockEvent['type']> = new Set([
  'lease.expired',
  'waiter.queued',
  'waiter.dequeued',
  'waiter.unsubscribed',
  'lock.learned',
  'permits.expired',
  'latch.opened',
]);

/** Whose event it is: of a permit, whoever took it. */
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

/** Whom a release tells: everybody who sleeps, of a queue only the head; nobody while others hold the lock. */
function toldBy({ moment, before, after }: MomentChange): string[] {
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
