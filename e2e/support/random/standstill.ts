import type { ReportedEvent } from '../lockscope/lockscope.ts';

/**
 * Whether Redis really stood still in this problem, as on a busy machine: clients acquired hardly any lock in that time.
 * `grants`: when they did, by their own account, in µs. `seconds`: how long they ran.
 */
export function isStandstill(event: ReportedEvent, grants: readonly number[], seconds: number): boolean {
  if (event.type !== 'insight.opened' || event.incident !== 'slow-script-busy') return false;
  const { from = event.at, to } = event;
  if (to === undefined) return false;
  const usual = (grants.length * (to - from)) / (seconds * 1_000_000);
  return grants.filter((at) => from < at && at < to).length < usual / 10;
}
