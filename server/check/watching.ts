import type { Problem } from '../../shared/wire/problems/problem.ts';
import type { Source } from '../../shared/wire/source.ts';
import { isWholeRead } from '../../shared/wire/watched.ts';
import type { Observatory } from '../watch/observatory.ts';
import { BEAT_EVERY_MS } from '../watch/source/source-lag.ts';

/** The longest wait until a server is watched, and all locks that were held before are read. */
const READY_WITHIN_MS = 60_000;
const CAUGHT_UP_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 20;

/**
 * At level `snapshot`, known locks are read in rounds of 2 s. After this time, a whole round has been read since the
 * request.
 */
const SNAPSHOT_ROUNDS_MICROS = 2_500_000;

/** Problems that may pass while a busy server is being connected to. */
const MAY_PASS: ReadonlySet<string> = new Set<Problem['code']>(['not-answering', 'observer-silent']);

type Watched = Pick<Observatory, 'sources' | 'now'>;

/**
 * Waits until every source is watched and the locks that were held before are read, at most 60 s. Returns false if a
 * source cannot be watched. After a long first scan it returns true although locks may be missing: `cannotSee` reports
 * that.
 */
export async function isReady(observatory: Watched, signal: AbortSignal): Promise<boolean> {
  const end = performance.now() + READY_WITHIN_MS;
  const hasFailed = () => observatory.sources().some(isRefused);
  const isRead = () => observatory.sources().length > 0 && observatory.sources().every(isWholeRead);
  await until(() => hasFailed() || isRead() || performance.now() > end, signal);
  const sources = observatory.sources();
  return sources.length > 0 && sources.every(({ status }) => status === 'observing');
}

/** Waits until everything that Redis did before this call has been read, at most 30 s. Returns whether it has. */
export async function hasCaughtUp(observatory: Watched, signal: AbortSignal): Promise<boolean> {
  const asked = performance.now();
  const instants = new Map(observatory.sources().map(({ id }) => [id, observatory.now(id)]));
  const isRead = (source: Source) =>
    source.status === 'observing' &&
    performance.now() - asked >= source.lagMs + BEAT_EVERY_MS &&
    (source.level !== 'snapshot' || (source.snapshotAt ?? 0) > (instants.get(source.id) ?? 0) + SNAPSHOT_ROUNDS_MICROS);
  const areAllRead = () => observatory.sources().every(isRead);
  await until(() => areAllRead() || performance.now() > asked + CAUGHT_UP_WITHIN_MS, signal);
  return areAllRead();
}

/** Waits until `isSo` is true, or the signal aborts. */
export async function until(isSo: () => boolean, signal: AbortSignal, everyMs = LOOK_EVERY_MS): Promise<void> {
  while (!signal.aborted && !isSo()) await new Promise((resolve) => setTimeout(resolve, everyMs));
}

function isRefused({ status, problem }: Source): boolean {
  return status === 'failed' || (status !== 'observing' && problem !== undefined && !MAY_PASS.has(problem.code));
}
