import { isoText } from '../../base/time.ts';
import { ENGLISH } from '../../insights/english.ts';
import type { Insight, Report } from '../../insights/insight.ts';
import { type Say, textsOf } from '../../insights/words.ts';
import { wordOf } from '../person-text.ts';
import type { ReportBody, WireInsight } from './insight.ts';

/** Writes a report as the API shows it. */
export function reportBodyFrom({ at, insights, more, cannotTell, failed }: Report): ReportBody {
  return {
    v: 1,
    at,
    insights: insights.map(wireInsight),
    ...(more > 0 ? { more } : undefined),
    cannotTell: [...cannotTell],
    failed: [...failed],
  };
}

function wireInsight({ lockId: _, db, lock, ...insight }: Insight): WireInsight {
  const { holders, events, values } = insight;
  const texts = textsOf(ENGLISH, insight, PLAIN);
  const place = lock === null ? undefined : { db, lock };
  return { ...insight, ...texts, ...place, holders: [...holders], events: [...events], values: plainValues(values) };
}

/** Copies the lists and objects in the values, because those of an insight are read-only. */
function plainValues(values: Insight['values']): WireInsight['values'] {
  return Object.fromEntries(
    Object.entries(values).map(([name, each]) => [
      name,
      Array.isArray(each) ? each.map((item) => (typeof item === 'object' ? { ...item } : item)) : each,
    ]),
  );
}

/** Values in English sentences of JSON: `8f3a1c02:7`, `2026-11-21T10:41:03.000Z`. */
const PLAIN: Say = {
  who: (holder) => wordOf(holder).replace(/^([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f-]{22,}(?=:|$)/i, '$1'),
  clock: isoText,
};
