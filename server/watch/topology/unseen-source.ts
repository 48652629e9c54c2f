import type { RedisTime } from '../../../shared/base/time.ts';
import { nodeOf, type WatchUrl } from '../../../shared/base/topology-url.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { BlindReason } from '../../../shared/signals/blind-reason.ts';
import type { ObserveLevel, Source } from '../../../shared/wire/source.ts';
import { OBSERVER_ENDED } from '../observer/source-handle.ts';
import type { Place } from '../source/worker-messages.ts';

export type About = { readonly shownUrl: string; readonly topology: WatchUrl['kind']; readonly place: Place | null };

/** What is known about a source before its server has answered. */
export function unknownSource(id: string, { shownUrl, topology, place }: About, level: ObserveLevel): Source {
  return {
    id,
    url: shownUrl,
    topology,
    ...(place === null || place.server.path !== null ? {} : { node: nodeOf(place.server) }),
    redisVersion: '',
    role: 'master',
    status: 'connecting',
    level,
    lagMs: 0,
    linesPerSecond: 0,
    guard: { state: 'ok' },
    unseen: [],
    cannotSee: [],
    keyEvents: 'off',
    snapshotAt: null,
    drift: 0,
    rejected: 0,
    clockOffsetMs: 0,
  };
}

/**
 * The event for an observer, or a Lockscope, that ended at `at`: from then on, nothing is known about the locks of its
 * source.
 */
export function blindSpot(source: string, at: RedisTime, seq: number, reason: BlindReason = OBSERVER_ENDED): LockEvent {
  const about = { seq, at, source, db: 0, lock: '', kind: 'lock', certainty: 'observed' } as const;
  return { ...about, type: 'blind-spot.began', reason };
}
