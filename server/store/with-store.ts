import { startTimer, stopTimer } from '../redis/connection/surroundings.ts';
import type { Observatory } from '../watch/observatory.ts';
import type { ObservatoryOptions } from '../watch/topology/options.ts';
import { hourAnswers } from './hour-answers.ts';
import { OpenedRanges } from './opened-ranges.ts';
import { pastOf } from './past-link.ts';
import type { Store } from './store.ts';
import { nameOfStore } from './store-name.ts';
import { StoredAnswers } from './stored-answers.ts';

/** How often the store is asked how far it reaches, because old days are dropped. */
const REACH_EVERY_MS = 60_000;

/**
 * Creates an observatory that reaches back as far as a store, if there is a store. The store is closed after the
 * observatory. `memory`: the limit of the process, in bytes.
 */
export function withStore(
  store: Store | undefined,
  memory: number,
  create: (options: Pick<ObservatoryOptions, 'keeper'>) => Observatory,
): Observatory {
  if (!store) return create({});
  const live = create({ keeper: store });
  const link = pastOf(store.link, store.task.path);
  const past = new StoredAnswers(
    { answers: live, history: live.history },
    {
      ranges: new OpenedRanges(link, memory, store.source),
      oldest: () => store.reach.from,
      began: () => store.beganAt,
      timeOfEvent: (seq) => link.ask({ ask: 'time-of-event', seq, source: store.source }),
    },
  );
  let timer = startTimer(refresh, REACH_EVERY_MS);
  timer.unref();
  let bytes = store.bytes;
  function refresh(): void {
    store?.refresh().then(
      (facts) => {
        bytes = facts.bytes;
      },
      () => undefined, // the next write reports it
    );
    timer = startTimer(refresh, REACH_EVERY_MS);
    timer.unref();
  }
  return {
    ...live,
    ...past.answers(),
    history: past.history(),
    ...hourAnswers(link, store.source, past),
    memory: () => {
      const taken = live.memory?.();
      if (!taken) throw new Error('a watched observatory knows its memory');
      return { ...taken, oldestAt: past.oldestAt ?? taken.oldestAt };
    },
    store() {
      const { from, to, until, problem } = store.reach;
      return { file: nameOfStore(store.task.path), from, to, until, bytes, ...(problem ? { problem } : {}) };
    },
    async stop() {
      stopTimer(timer);
      await live.stop();
      await store.close();
    },
  };
}
