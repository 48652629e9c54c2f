import type { ReportedEvent } from '../lockscope/lockscope.ts';

/** The settings of a Redis whose SLOWLOG keeps every entry of a long run. */
export const KEEPS_SLOWLOG = { 'slowlog-max-len': '100000' };

/** What can show that Redis stood still. */
type Accounts = {
  /** When clients acquired locks, by their own account, in µs. */
  readonly acquiredAt: readonly number[];
  /** How long the clients ran, in s. */
  readonly seconds: number;
  /** The reply to `SLOWLOG GET -1`. */
  readonly slowlog: unknown;
};

/** A client reports an acquisition, in whole milliseconds, up to this much after Redis made it, in µs. */
const LATE = 20_000;
/** SLOWLOG shows only the second in which a command began. In µs. */
const SLOWLOG_WITHIN = 2_000_000;

/**
 * Whether the event opens the verdict `slow-script-busy` and Redis really stood still then, as may happen on a busy
 * machine: clients acquired less than a tenth of the usual locks in that time, or Redis itself measured a command that
 * took 90 % of the time.
 */
export function isStandstill(event: ReportedEvent, { acquiredAt, seconds, slowlog }: Accounts): boolean {
  if (event.type !== 'insight.opened' || event.incident !== 'slow-script-busy') return false;
  const { from = event.at, to } = event;
  if (to === undefined) return false;
  const usual = (acquiredAt.length * (to - from)) / (seconds * 1_000_000);
  if (acquiredAt.filter((at) => from + LATE < at && at < to).length < usual / 10) return true;
  return (slowlog as [id: number, second: number, micros: number][]).some(
    ([, second, micros]) => micros > 0.9 * (to - from) && Math.abs(second * 1_000_000 - from) < SLOWLOG_WITHIN,
  );
}
