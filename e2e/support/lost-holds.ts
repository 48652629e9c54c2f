import { expect } from 'vitest';
import { insightsBody, type WireInsight } from '../../shared/wire/insights/insight.ts';
import type { Lockscope } from './lockscope/lockscope.ts';
import { waitFor } from './wait-for.ts';

/**
 * The insights about a RedLock of three servers once that many of its holds were lost in restarts. A loss counts while
 * its client is connected. One loss leaves a majority, so it must not be reported as a lost lock.
 */
export async function insightsAfterLosses(lockscope: Lockscope, losses: number): Promise<readonly WireInsight[]> {
  const connected = async () =>
    (await lockscope.locks()).flatMap(({ believers = [] }) => believers).filter(({ presence }) => presence !== 'gone');
  return waitFor(`${losses} lost holds`, async (missing) => {
    const before = await connected();
    const { at, insights, cannotTell } = insightsBody.parse((await lockscope.get('/api/insights')).body);
    const after = await connected();
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
