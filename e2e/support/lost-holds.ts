import { insightsBody, type WireInsight } from '../../shared/wire/insight.ts';
import type { Lockscope } from './clients/lockscope.ts';
import { waitFor } from './wait-for.ts';

/** The insights once that many holds are reported as lost in a restart or a failover. */
export async function insightsAfterLosses(lockscope: Lockscope, losses: number): Promise<WireInsight[]> {
  return waitFor(`${losses} lost holds`, async (missing) => {
    const { insights } = insightsBody.parse((await lockscope.get('/api/insights')).body);
    const lost = insights.filter(({ incident }) => incident === 'failover-lock-lost');
    return lost.length === losses ? insights : missing(JSON.stringify(insights.map(({ incident }) => incident)));
  });
}
