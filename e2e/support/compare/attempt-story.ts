import { groupedBy } from '../../../shared/base/grouped-by.ts';
import type { ReportedEvent } from '../lockscope/lockscope.ts';
import { shown, words } from './holder-story.ts';
import { type Call, hasAcquired, hasGivenUp, isWithin } from './truth.ts';
import { certainHolds } from './truth-holds.ts';

/** Whether an event can end a sleep: a message, an expired lease, a deleted key, a flush or an evicted queue head. */
function isCause(event: ReportedEvent): boolean {
  return (
    event.type === 'wakeup.published' ||
    event.type === 'lease.expired' ||
    event.type === 'lock.deleted' ||
    event.type === 'db.flushed' ||
    (event.type === 'waiter.dequeued' && event.reason === 'evicted')
  );
}

/**
 * Compares refusals. `slack` in µs.
 *
 * - Each refusal belongs to a call.
 * - A failed `tryLock()` has at least one; without a wait time, exactly one.
 * - An acquisition after a sleep names its cause.
 * - Before a call acquires the lock, its waiter is not reported as gone.
 */
export function compareAttempts(
  key: string,
  calls: readonly Call[],
  reported: readonly ReportedEvent[],
  all: readonly ReportedEvent[],
  slack: number,
): string[] {
  const problems: string[] = [];
  const where = key.replace('\n', ' ');
  const attempts = calls.filter((call) => call.op === 'lock' || call.op === 'try');
  const refusals = reported.filter((event) => event.type === 'lock.refused');
  for (const refusal of refusals) {
    if (!attempts.some((call) => isWithin(refusal.at, call, slack))) {
      problems.push(`${where}: ${shown(refusal)} was reported, but no call of the client was waiting then`);
    }
  }
  // A living waiter that was evicted, or deleted with the queue, queues again.
  const mayQueueAgain = (event: ReportedEvent) =>
    event.type === 'waiter.dequeued' && (event.reason === 'evicted' || event.reason === 'deleted');
  for (const gone of reported.filter((event) => event.type === 'waiter.dequeued' && !mayQueueAgain(event))) {
    const call = attempts.find(
      (attempt) => hasAcquired(attempt) && attempt.called < gone.at && gone.at < attempt.returned!,
    );
    if (call) problems.push(`${where}: ${shown(gone)} was reported in the midst of ${words(call)}`);
  }
  for (const call of attempts) {
    const own = refusals.filter(({ at }) => isWithin(at, call, slack));
    if (hasGivenUp(call) && own.length === 0) problems.push(`${where}: no lock.refused for ${words(call)}`);
    if (hasGivenUp(call) && call.args.length === 0 && own.length > 1) {
      problems.push(`${where}: ${own.length} lock.refused for a try that does not wait: ${words(call)}`);
    }
    const [firstRefusal] = own;
    if (!hasAcquired(call) || own.length < 2 || !firstRefusal) continue;
    const acquired = reported.find(({ type, at }) => type === 'lock.acquired' && isWithin(at, call, slack));
    // A spin lock's release publishes nothing: its waiters poll.
    const isQuiet = ({ type }: ReportedEvent) => call.kind === 'spin' && type === 'lock.released';
    const causes = all.filter((event) => acquired?.because?.includes(event.seq) && (isCause(event) || isQuiet(event)));
    const isFitting = causes.some(
      ({ seq, lock }) => lock === call.lock && seq > firstRefusal.seq && seq < acquired!.seq,
    );
    if (acquired && !isFitting) {
      const named = JSON.stringify(acquired.because ?? null);
      problems.push(`${where}: ${shown(acquired)} ended a sleep, but its because ${named} names no cause of it`);
    }
  }
  return problems;
}

/**
 * Calls that may wait, on a lock that another thread held for at least `surelyTriedMs` after the call, without a
 * reported refusal.
 */
export function missingRefusals(
  calls: readonly Call[],
  reported: readonly ReportedEvent[],
  holderOf: (call: Call) => string,
  slack: number,
  surelyTriedMs: number,
): string[] {
  const holds = [...groupedBy(calls, (call) => `${holderOf(call)} ${call.kind}`)].flatMap(([, own]) =>
    certainHolds(own).map((hold) => ({ holder: holderOf(own[0]!), kind: own[0]?.kind, ...hold })),
  );
  return calls
    .filter((call) => call.op === 'lock' || (call.op === 'try' && call.args.length > 0))
    .filter((call) => {
      const blocking = holds.find(
        ({ holder, kind, from, to }) =>
          holder !== holderOf(call) &&
          !(kind === 'read' && call.kind === 'read') &&
          from <= call.called &&
          to >= call.called + surelyTriedMs * 1000,
      );
      const isReported = reported.some(
        (event) => event.type === 'lock.refused' && event.holder === holderOf(call) && isWithin(event.at, call, slack),
      );
      return blocking !== undefined && !isReported;
    })
    .map((call) => `${JSON.stringify(call.lock)}: no lock.refused for ${words(call)}, which met a foreign hold`);
}
