import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { lockIdOf } from '../../../shared/state/lock-state.ts';
import type { LoggedProblem } from '../../../shared/wire/insights/problem-log.ts';

/** A problem of the log, as a tick on the ruler and on the minimap. */
export type ProblemTick = {
  readonly from: RedisTime;
  /** Null: it is still open. */
  readonly to: RedisTime | null;
  readonly isCritical: boolean;
  /** Null: it is about a whole source. */
  readonly lockId: string | null;
};

/** The ticks of the problems of some locks, in order of time. `onlyLock`: the name of the only lock; empty: all,
 * also the problems of whole sources. */
export function problemTicks(problems: readonly LoggedProblem[], onlyLock: string): ProblemTick[] {
  return problems
    .filter(({ lock }) => onlyLock === '' || lock === onlyLock)
    .map(({ from, to, severity, source, db, lock }) => ({
      from: redisTime(from),
      to: to === null ? null : redisTime(to),
      isCritical: severity === 'critical',
      lockId: lock === null ? null : lockIdOf({ source, db, lock }),
    }))
    .sort((a, b) => a.from - b.from);
}

/** The first problem that begins after an instant, or the last one that begins before it. */
export function problemBeside(ticks: readonly ProblemTick[], at: RedisTime, step: 1 | -1): ProblemTick | undefined {
  return step === 1 ? ticks.find(({ from }) => from > at) : ticks.findLast(({ from }) => from < at);
}
