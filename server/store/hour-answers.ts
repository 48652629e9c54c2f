import type { Observatory } from '../watch/observatory.ts';
import { HOUR_MICROS } from './statistics/hour-rows.ts';
import type { StoreLink } from './store-link.ts';
import type { StoredAnswers } from './stored-answers.ts';

type TimeRange = { readonly from: number; readonly to: number };

/**
 * The answers from the statistics of a stream: the hours of a lock, and costs. `hourCosts` returns `undefined` unless
 * its range, or the range that is compared with it, is longer than an hour and begins beyond memory.
 */
export function hourAnswers(
  link: StoreLink,
  source: string,
  past: StoredAnswers,
): Required<Pick<Observatory, 'hourCosts' | 'lockHours'>> {
  const isLong = ({ from, to }: TimeRange) => to - from > HOUR_MICROS && past.isStored(from);
  return {
    hourCosts: async (query) => {
      if (!isLong(query) && !(query.against && isLong(query.against))) return undefined;
      return link.ask({ ask: 'costs', query: { ...query, source } });
    },
    lockHours: ({ source: server, ...query }) => link.ask({ ask: 'lock-hours', query: { ...query, server, source } }),
  };
}
