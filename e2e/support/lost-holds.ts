import { expect } from 'vitest';
import { insightsBody, type WireInsight } from '../../shared/wire/insights/insight.ts';
import type { Lockscope } from './lockscope/lockscope.ts';
import { waitFor } from './wait-for.ts';

/**
 * Waits until `losses` holds of a RedLock of three servers were lost in restarts, and returns the insights then. A loss
 * counts unless its client is gone. One loss leaves a majority, so it must not be reported as a lost lock. Each of
 * several losses must be.
 */
export async function insightsAfterLosses(lockscope: Lockscope, losses: number): Promise<readonly WireInsight[]> {
  const lossesNow = async () =>
    (await lockscope.locks()).flatMap(({ believers = [] }) => believers).filter(({ presence }) => presence !== 'gone');
  return waitFor(`${losses} lost holds`, async (missing) => {
    const before = await lossesNow();
    const { at, insights, cannotTell } = insightsBody.parse((await lockscope.get('/api/insights')).body);
    const after = await lossesNow();
    // an answer may be a second old
    const isOld = before.some(({ lostAt }) => lostAt >= at);
    if (before.length !== losses || after.length !== losses || isOld || cannotTell.some(isUnwatched)) {
      return missing(JSON.stringify({ at, before, after, cannotTell }));
    }
    const reported = insights.filter(({ incident }) => incident === 'failover-lock-lost');
    expect(reported).toHaveLength(losses === 1 ? 0 : losses);
    return insights;
  });
}

function isUnwatched({ reason }: { readonly reason: string }): boolean {
  return reason === 'unwatched';
}
