import type { Millis } from '../../../base/time.ts';
import type { LockEvent } from '../../../events/event.ts';
import { clientOf } from '../../../events/names/names.ts';
import type { LockDetector, LockSight } from '../../detector.ts';
import type { Confidence, FindingOf } from '../../insight.ts';

type Incident = 'unlock-replayed';
type Unanswered = Extract<LockEvent, { type: 'unlock.unanswered' }>;

/** Unanswered unlocks are reported for this long. */
const WITHIN_MS: Millis = 10 * 60_000;
/** How many events of one finding are listed: the newest. */
const MOST_EVENTS = 10;

/**
 * An unlock took effect, but its answer was lost. The caller gets an error although its unlock succeeded, unless the
 * client sent the unlock again and got the stored answer. One finding for each thread. A client that is gone gets no
 * error, so its unlocks are not reported.
 */
export const unlockReplayed: LockDetector<Incident> = {
  incident: 'unlock-replayed',
  effect: 'other',
  of: 'lock',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  wants: { types: ['unlock.unanswered'], beside: [], withinMs: WITHIN_MS },
  detect(sight) {
    const byHolder = new Map<string, Unanswered[]>();
    for (const event of sight.events) {
      if (event.type !== 'unlock.unanswered' || event.outcome === 'refused') continue;
      if (event.repeat === undefined && presenceOf(event, sight) === 'gone') continue;
      byHolder.set(event.holder, [...(byHolder.get(event.holder) ?? []), event]);
    }
    return [...byHolder].flatMap(([holder, events]) => findingOf(sight, holder, events));
  },
};

function findingOf(sight: LockSight, holder: string, events: readonly Unanswered[]): FindingOf<Incident>[] {
  const [first] = events;
  const last = events.at(-1);
  if (!first || !last) return [];
  const { unlockedAt, outcome, repeat = null } = last;
  return [
    {
      incident: 'unlock-replayed',
      severity: 'hint',
      confidence: confidenceOf(last, sight),
      lockId: sight.lockId,
      holders: [holder],
      from: first.unlockedAt,
      to: last.at,
      selfHealsAt: null,
      events: events.slice(-MOST_EVENTS).flatMap(({ seq, because = [] }) => [...because, seq]),
      values: {
        ...{ holder, unlockedAt, repeat },
        isPartly: outcome === 'partly-released',
        times: events.reduce((sum, { times = 1 }) => sum + times, 0),
      },
    },
  ];
}

/** Only likely for a repeat that was refused: without a latch, a second call of the application looks the same. */
function confidenceOf(event: Unanswered, sight: LockSight): Confidence {
  if (event.repeat === 'answered') return 'certain';
  if (event.repeat === 'refused') return 'likely';
  return presenceOf(event, sight) === 'connected' ? 'certain' : 'likely';
}

function presenceOf({ holder }: Unanswered, sight: LockSight) {
  return sight.clientOf(clientOf(holder)).presence;
}
