import { type RedisTime, redisTime } from '../../../base/time.ts';
import { type ClientDumps, isBefore, threadSight } from '../../../dumps/client-dump.ts';
import { hasTimeLimit, isWaitingInRedisson } from '../../../dumps/frames.ts';
import { clientOf } from '../../../events/names/names.ts';
import type { HolderState, LockState, WaiterState } from '../../../state/lock-state.ts';
import { unrenewedEnd } from '../../circle-facts.ts';
import type { WorldDetector } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';
import { overdueSince, unseenWait, withoutGone } from '../../sleepers.ts';
import { WaitCircles, type WaitStep } from '../../wait-circles.ts';
import { addJvmWaits, type JvmWaits } from './jvm-waits.ts';

type Incident = 'jvm-redis-deadlock';

const NO_DUMPS: ClientDumps = new Map();

/**
 * A holder waits inside its JVM for a thread that waits for its lock in Redis:
 *
 *   orders-1 ──monitor──▶ orders-2 ──orders:42 in Redis──▶ orders-1
 *
 * Each hold and each wait in Redis began 10 s before the dumps or earlier and has lasted since, so that no thread of
 * the circle can have moved. If there is a dump of the client that waits in Redis, the waiting thread must be inside a
 * call of Redisson there. A circle with no step in a JVM is reported by `abba-deadlock`, one with no step in Redis by
 * the JVM.
 */
export const jvmRedisDeadlock: WorldDetector<Incident> = {
  incident: 'jvm-redis-deadlock',
  effect: 'stuck',
  of: 'world',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  concerns: ({ holders }) => holders.length > 0,
  begins: () => true,
  unseenOf: unseenWait,
  begin() {
    const circles = new WaitCircles();
    const locks = new Map<string, LockState>();
    let dumps = NO_DUMPS;
    return {
      take({ lock, lockId, watched, clientOf: sightOf, ...sight }) {
        dumps = sight.dumps;
        locks.set(lockId, lock);
        circles.take(lockId, withoutGone(lock, sightOf), lock.source, watched.watchedSince);
        return undefined;
      },
      conclude(now) {
        const jvm = addJvmWaits(circles, dumps, now);
        return circles.all().flatMap((steps) => findingOf(steps, { jvm, locks, dumps, now }) ?? []);
      },
    };
  },
};

type Known = {
  readonly jvm: JvmWaits;
  readonly locks: ReadonlyMap<string, LockState>;
  readonly dumps: ClientDumps;
  readonly now: RedisTime;
};

type InRedis = {
  readonly step: WaitStep;
  readonly lock: LockState;
  readonly wait: WaiterState;
  readonly hold: HolderState;
};

function findingOf(steps: readonly WaitStep[], known: Known): FindingOf<Incident> | null {
  const { jvm, locks, now } = known;
  const taken = steps.flatMap(({ wants }) => jvm.get(wants)?.dump.takenAt ?? []);
  const inRedis = steps.flatMap((step) => stepInRedis(step, locks) ?? []);
  const [first] = inRedis;
  if (!first || taken.length === 0 || taken.length + inRedis.length !== steps.length) return null;
  const earliest = redisTime(Math.min(...taken));
  if (!inRedis.every((step) => isShown(step, earliest, known))) return null;
  const dumpAt = redisTime(Math.max(...taken));
  const ends = inRedis.map((each) => unrenewedEnd(each, now)).filter((end) => end !== null);
  const givesUp = inRedis.some(({ wait }) => isLimited(wait.id, known.dumps));
  const endsAt = ends.length === 0 ? null : redisTime(Math.min(...ends));
  return {
    incident: 'jvm-redis-deadlock',
    severity: givesUp ? 'warning' : 'critical',
    confidence: 'likely',
    lockId: first.step.wants,
    holders: steps.map(({ holder }) => holder),
    from: dumpAt,
    to: null,
    selfHealsAt: endsAt,
    events: inRedis.flatMap(({ wait }) => wait.firstSeq ?? []),
    values: {
      path: steps.map(({ holder, wants, heldBy }) => ({
        ...{ holder, heldBy, lock: locks.get(wants)?.name ?? null, lockId: locks.has(wants) ? wants : null },
        monitor: jvm.has(wants) ? (jvm.get(wants)?.wait.className ?? '') : null,
      })),
      dumpAt,
      givesUp,
      endsAt,
    },
  };
}

/** Whether a waiter is in a call that gives up after a time, as far as a dump of its client shows. */
function isLimited(waiter: string, dumps: ClientDumps): boolean {
  const dump = dumps.get(clientOf(waiter));
  if (!dump) return false;
  const sight = threadSight(dump, waiter);
  return sight.found === 'thread' && hasTimeLimit(dump.dump, sight.thread);
}

function stepInRedis(step: WaitStep, locks: Known['locks']): InRedis | null {
  const lock = locks.get(step.wants);
  const wait = lock?.waiters.find(({ id }) => id === step.holder);
  const hold = lock?.holders.find(({ id }) => id === step.heldBy);
  return lock && wait && hold ? { step, lock, wait, hold } : null;
}

/**
 * Whether a hold and a wait are older than the earliest dump, and the waiting thread still waits. A dump of its client
 * shows that. Without such a dump, the thread still waits unless it is overdue with its next attempt.
 */
function isShown({ lock, wait, hold }: InRedis, earliest: RedisTime, { dumps, now }: Known): boolean {
  if (!isBefore(wait.since, earliest) || !isBefore(hold.since ?? hold.firstAt, earliest)) return false;
  const dump = dumps.get(clientOf(wait.id));
  if (!dump) return overdueSince(wait, lock, now) === undefined;
  const sight = threadSight(dump, wait.id);
  return sight.found === 'thread' && isWaitingInRedisson(dump.dump, sight.thread);
}
