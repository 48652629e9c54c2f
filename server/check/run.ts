import type { ObserveLevel } from '../../shared/base/observe-level.ts';
import type { Report } from '../../shared/insights/insight.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import type { Source } from '../../shared/wire/source.ts';
import type { Observatory } from '../watch/observatory.ts';
import { BlindLog } from './blind-log.ts';
import type { Program } from './program.ts';
import { RunLog } from './run-log.ts';
import type { RunResult, RunSight } from './run-report.ts';
import { logVerdicts } from './verdict-log.ts';
import { watchedOf, withBlindSpots } from './watched.ts';
import { hasCaughtUp, isReady, until } from './watching.ts';

/** A list of clients arrives every 5 s, and two of them prove that a client is gone. */
const PRESENCE_WITHIN_MS = 11_000;
const PRESENCE_EVERY_MS = 250;

/** Why there is no result: a server is not watched, so nothing was started; or the program could not be started. */
type NoResult = { readonly exitCode: number; readonly problem?: string };

/** `readLocks` reads all locks that are held now; `undefined` if it cannot. */
type Parts = {
  readonly program: Program;
  readonly command: readonly [string, ...string[]];
  readLocks(): Promise<Lock[] | undefined>;
};

/** Watches, runs the program, and returns what it did to locks. The program is started once all sources are watched. */
export async function watchRun(
  observatory: Observatory,
  { program, command, readLocks }: Parts,
  signal: AbortSignal,
): Promise<RunResult | NoResult> {
  await observatory.start();
  if (!(await isReady(observatory, signal)) || !(await hasCaughtUp(observatory, signal))) return { exitCode: 1 };
  const before = await observatory.insights({ isFresh: true });
  const log = new RunLog(observatory.locks(0));
  const blind = new BlindLog();
  const levels = new Set<ObserveLevel>();
  const noteLevels = () => {
    for (const { level } of observatory.sources()) levels.add(level);
  };
  noteLevels();
  const stop = observatory.onBatch(({ events, sourcesChanged }) => {
    if (sourcesChanged) noteLevels();
    for (const event of events) {
      log.take(event);
      blind.take(event);
    }
  });
  try {
    const from = observatory.now();
    const ended = program.run(command).then((end) => ({ ...end, at: timesOf(observatory) }));
    const verdicts = await logVerdicts(
      observatory,
      ended.then(() => afterwards(observatory, log, signal)),
      signal,
    );
    const { exitCode, problem, at } = await ended;
    if (problem !== undefined) return { exitCode, problem };
    const report = withBlindSpots(sinceThen(verdicts.report() ?? before, before), blind.all());
    const sight = sightOf(observatory.sources(), levels);
    const found = sight.seesNewLocks ? [] : await readLocks();
    const locks = withFound(observatory.locks(0), found ?? []);
    return {
      ...{ from, at: observatory.now(), programExitCode: exitCode, report, more: log.more },
      sight: { ...sight, hasReadLocks: found !== undefined },
      seen: log.faults(locks, (source) => at.get(source) ?? observatory.now(source)),
      watched: watchedOf(observatory.sources(), locks.length, blind.all(), report),
    };
  } finally {
    stop();
  }
}

/**
 * Waits until everything that the program did is read, and until no client that left a lock behind is shown as
 * connected, at most 11 s: a client that has just ended is not yet known to be gone.
 */
async function afterwards(observatory: Observatory, log: RunLog, signal: AbortSignal): Promise<void> {
  await hasCaughtUp(observatory, signal);
  const end = performance.now() + PRESENCE_WITHIN_MS;
  const isAnyHolderConnected = () =>
    log
      .leftBehind(observatory.locks(0))
      .some(({ holder: { presence } }) => presence === 'connected' || presence === 'idle');
  await until(() => !isAnyHolderConnected() || performance.now() > end, signal, PRESENCE_EVERY_MS);
}

/** What could be seen while the program ran. */
function sightOf(sources: readonly Source[], levels: ReadonlySet<ObserveLevel>): Omit<RunSight, 'hasReadLocks'> {
  const hasKeyEvents = sources.every(
    ({ level, keyEvents }) => level === 'monitor' || keyEvents === 'notifications' || keyEvents === 'replication',
  );
  return { levels, seesNewLocks: hasKeyEvents && !levels.has('snapshot') };
}

/** The locks that were watched, and the holds that only a read at the end found. */
function withFound(watched: readonly Lock[], found: readonly Lock[]): Lock[] {
  const known = new Set(watched.flatMap(({ id, holders }) => holders.map((holder) => `${id} ${holder.id}`)));
  const others = found.map((lock) => ({
    ...lock,
    holders: lock.holders.filter((holder) => !known.has(`${lock.id} ${holder.id}`)),
  }));
  return [...watched, ...others.filter(({ holders }) => holders.length > 0)];
}

/** The present Redis time of each source. */
function timesOf(observatory: Observatory): ReadonlyMap<string, number> {
  return new Map(observatory.sources().map(({ id }) => [id, observatory.now(id)]));
}

/** A report without the verdicts of an earlier report. */
function sinceThen(report: Report, before: Report): Report {
  const known = new Set(before.insights.map(({ id }) => id));
  return { ...report, insights: report.insights.filter(({ id }) => !known.has(id)) };
}
