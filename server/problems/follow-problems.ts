import type { EventType } from '../../shared/events/event.ts';
import type { EventHistory } from '../watch/history/event-history.ts';
import type { Observatory } from '../watch/observatory.ts';
import { ProblemLog } from './problem-log.ts';

const ABOUT_PROBLEMS: readonly EventType[] = ['insight.opened', 'insight.closed', 'insight.noted'];
const MOST_EVENTS = 10_000;

/** The log of the problems that an observatory reports from now on. `stop` ends it. */
export function followProblems(observatory: Pick<Observatory, 'onBatch'>): { log: ProblemLog; stop(): void } {
  const log = new ProblemLog();
  return { log, stop: observatory.onBatch(({ events }) => log.take(events)) };
}

/** The log of the problems in a history, such as that of a recording. */
export async function problemsIn(history: Pick<EventHistory, 'search'>): Promise<ProblemLog> {
  const log = new ProblemLog();
  const found = await Promise.all(ABOUT_PROBLEMS.map((type) => history.search({ type, limit: MOST_EVENTS })));
  log.take(found.flatMap(({ events }) => events).sort((a, b) => a.seq - b.seq));
  return log;
}
