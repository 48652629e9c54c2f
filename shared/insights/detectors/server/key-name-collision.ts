import { OBSERVE_LEVELS } from '../../../base/observe-level.ts';
import { redisTime } from '../../../base/time.ts';
import type { DetailOf, LockEvent } from '../../../events/event.ts';
import { isCounterKind, isTokenKind, KINDS } from '../../../events/kinds/kinds.ts';
import { idOf, type LockState, lockIdOf } from '../../../state/lock-state.ts';
import type { SourceDetector } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';
import { newestRefusal, REFUSED_WITHIN_MS } from './newest-refusal.ts';

/** Commands that overwrite any value without an error. */
const OVERWRITES = new Set(['SET', 'SETEX', 'PSETEX']);

type Deleted = LockEvent & DetailOf<'lock.deleted'>;
type Collision = FindingOf<'key-name-collision'>;

/**
 * A lock and something else use one name. Three things show that:
 *
 * - A command wrote over a held lock.
 * - A script that reads a hash got WRONGTYPE. INFO has no keys, so the name is not known.
 * - A plain lock and a read-write lock of one name are held at the same time: Redis admits a reader beside the holder
 *   of a plain lock, without an error.
 */
export const keyNameCollision: SourceDetector<'key-name-collision'> = {
  incident: 'key-name-collision',
  effect: 'other',
  of: 'source',
  withoutCommands: 'same',
  levels: OBSERVE_LEVELS,
  wants: { types: ['server.refused', 'lock.deleted'], beside: [], withinMs: REFUSED_WITHIN_MS },
  detect(view) {
    const { source, server, lockEvents, locks } = view;
    const overwritten = [...lockEvents.filter(isOverwritten).map(overwriteOf), ...locks.flatMap(collisionsOfKinds)];
    const found = newestRefusal(view, ['WRONGTYPE']);
    if (!found) return overwritten.length === 0 && !server ? 'server' : overwritten;
    const { failed = {}, errors } = found.event;
    const scripts = (failed.eval ?? 0) + (failed.evalsha ?? 0) - (errors.NOSCRIPT ?? 0);
    const isOfLocks = scripts > 0 && (failed.hexists ?? 0) + (failed.hget ?? 0) > 0;
    if (!isOfLocks) return overwritten;
    const refused: Collision = {
      incident: 'key-name-collision',
      severity: 'warning',
      confidence: 'likely',
      lockId: null,
      source,
      holders: [],
      from: found.from,
      ...(found.isAtLeast ? { isAtLeast: true } : undefined),
      to: found.to,
      selfHealsAt: null,
      events: found.seqs,
      values: { lock: null, command: null, by: null, refusals: found.refusals, plain: null, other: null },
    };
    return [...overwritten, refused];
  },
};

function isOverwritten(event: LockEvent): event is Deleted {
  // these locks are strings, which SET writes by design
  if (isTokenKind(event.kind) || isCounterKind(event.kind)) return false;
  return event.type === 'lock.deleted' && OVERWRITES.has(event.command?.toUpperCase() ?? '');
}

function overwriteOf(event: Deleted): Collision {
  const { at, seq, lock, holder, holders, command, by } = event;
  return {
    incident: 'key-name-collision',
    severity: 'critical',
    confidence: event.certainty === 'observed' ? 'certain' : 'likely',
    lockId: lockIdOf(event),
    holders: holders?.slice(0, 20) ?? (holder === undefined ? [] : [holder]),
    from: at,
    to: at,
    selfHealsAt: null,
    events: [seq],
    values: { lock, command: command ?? null, by: by ?? null, refusals: 0, plain: null, other: null },
  };
}

/**
 * A plain lock and a read-write lock of one name, both held. The mode of a hold is certain only if its acquisition was
 * seen.
 */
function collisionsOfKinds(lock: LockState): Collision[] {
  if (KINDS[lock.kind].hasReaders !== true) return [];
  const plain = lock.holders.find(({ mode, since }) => mode === 'exclusive' && since !== null);
  const other = lock.holders.find(({ mode, since }) => mode !== 'exclusive' && since !== null);
  if (plain?.since == null || other?.since == null) return [];
  return [
    {
      incident: 'key-name-collision',
      severity: 'critical',
      confidence: 'certain',
      lockId: idOf(lock),
      holders: [plain.id, other.id],
      from: redisTime(Math.max(plain.since, other.since)),
      to: null,
      selfHealsAt: null,
      events: [plain, other].flatMap(({ firstSeq }) => firstSeq ?? []),
      values: { lock: lock.name, command: null, by: null, refusals: 0, plain: plain.id, other: other.id },
    },
  ];
}
