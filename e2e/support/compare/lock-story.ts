import type { ReportedEvent } from '../lockscope/lockscope.ts';
import { shown, words } from './holder-story.ts';
import { readWriteProblems } from './read-write-story.ts';
import { type Call, isOnReadWriteLock } from './truth.ts';

/** All calls of clients on one lock, and all its events, both in order. `slack` in µs. */
type LockStory = { lock: string; calls: readonly Call[]; events: readonly ReportedEvent[]; slack: number };

/** Checks the holders, force-releases and wake-ups of a lock. Returns every violation in words. */
export function compareLockStory(story: LockStory): string[] {
  const isReadWrite = story.calls.some(isOnReadWriteLock);
  const holds = isReadWrite ? readWriteProblems(story.events) : holdProblems(story);
  return [...holds, ...forceUnlockProblems(story), ...wakeUpProblems(story)].map(
    (problem) => `${JSON.stringify(story.lock)}: ${problem}`,
  );
}

/**
 * Checks that there is one holder at a time. An acquisition must find the lock free, so a lost hold is reported before
 * the next one begins. Re-entries, releases and renewals must be by the holder.
 */
export function holdProblems({ events }: Pick<LockStory, 'events'>): string[] {
  const problems: string[] = [];
  let holder: string | undefined;
  let count = 0;
  for (const event of events) {
    switch (event.type) {
      case 'lock.acquired':
        if (holder !== undefined)
          problems.push(`${shown(event)} by ${event.holder} while ${holder ?? 'nobody'} held it`);
        holder = event.holder;
        count = 1;
        break;
      case 'lock.reentered':
      case 'lock.partially-released':
        count += event.type === 'lock.reentered' ? 1 : -1;
        if (holder !== event.holder)
          problems.push(`${shown(event)} by ${event.holder} while ${holder ?? 'nobody'} held it`);
        if (count < 1) problems.push(`${shown(event)} at hold count ${count}`);
        break;
      case 'lock.released':
        if (holder !== event.holder)
          problems.push(`${shown(event)} by ${event.holder} while ${holder ?? 'nobody'} held it`);
        if (count !== 1) problems.push(`${shown(event)} at hold count ${count}`);
        holder = undefined;
        break;
      case 'lease.renewed':
      case 'lease.shortened':
        if (event.cause === 'watchdog' && holder !== event.holder) {
          problems.push(`${shown(event)} for ${event.holder} while ${holder ?? 'nobody'} held it`);
        }
        break;
      case 'lease.expired':
        if (holder === undefined) problems.push(`${shown(event)} while nobody held it`);
        else if (event.holder !== undefined && event.holder !== holder) {
          problems.push(`${shown(event)} of ${event.holder} while ${holder ?? 'nobody'} held it`);
        }
        holder = undefined;
        break;
      case 'lock.force-released':
      case 'lock.deleted':
      case 'lock.evicted':
      case 'db.flushed':
        holder = undefined;
        break;
      default:
        break;
    }
  }
  return problems;
}

/** Each force-unlock that freed the lock must be reported exactly once, within its call. No other may be reported. */
function forceUnlockProblems({ calls, events, slack }: LockStory): string[] {
  const problems: string[] = [];
  const reported = events.filter(({ type }) => type === 'lock.force-released');
  for (const call of calls.filter(({ op }) => op === 'force')) {
    const own = reported.filter(({ at }) => at >= call.called - slack && at <= (call.returned ?? 0) + slack);
    const value = call.outcome && 'value' in call.outcome ? call.outcome.value : undefined;
    // Old versions return null, whether they freed the lock or not.
    const least = value === 'true' ? 1 : 0;
    const most = value === 'false' ? 0 : 1;
    if (own.length < least || own.length > most) {
      problems.push(`${own.length} lock.force-released reported for ${words(call)}`);
    }
  }
  const forced = calls.filter(({ op }) => op === 'force');
  const others = reported.filter(
    ({ at }) => !forced.some(({ called, returned }) => at >= called - slack && at <= (returned ?? 0) + slack),
  );
  problems.push(...others.map((event) => `${shown(event)} without a force-unlock of any client`));
  return problems;
}

/**
 * Compares the wake-ups of a plain or fenced lock: there is one for every release and force-release, and for every
 * unlock that was refused although its caller saw success. Other kinds are not compared.
 */
export function wakeUpProblems({ calls, events }: Pick<LockStory, 'calls' | 'events'>): string[] {
  if (calls.some(({ kind }) => kind !== 'lock' && kind !== 'fenced')) return [];
  const releases = events.filter(
    (event) =>
      event.type === 'lock.released' ||
      event.type === 'lock.force-released' ||
      (event.type === 'unlock.refused' && event.callerSawSuccess === true),
  ).length;
  const wakeUps = events.filter(({ type }) => type === 'wakeup.published').length;
  return releases === wakeUps ? [] : [`${releases} releases, but ${wakeUps} wake-ups reported`];
}
