import type { Action } from '../action.ts';
import { counterOfChannel } from '../names/counter-names.ts';
import type { Family } from './family.ts';
import { publications } from './hold-in-hash.ts';
import { isPublish } from './script-run.ts';
import { countFrom } from './semaphore.ts';

/**
 * The scripts of `RedissonCountDownLatch` (3.1 to 4.7) with its channel CD (`docs/protocol.md` 9). All have both keys.
 *
 *   exists C → set C n → publish CD 1    set             exists C     no change: already set
 *   decr C                               counted down
 *   decr C → del C → publish CD 0        counted down to zero: opened
 *   decr C → del C                       counted down although it was open: the script made it −1 and deleted it
 *   del C [→ publish CD 1]               deleted; without a message: there was no key
 */
export const LATCH: Family = {
  kind: 'latch',
  begins: ['decr', 'exists', 'del'],
  recognise(run) {
    const { keys, lines, names } = run;
    const [lock = '', channel = ''] = keys;
    const [first, second] = lines;
    if (keys.length !== 2 || !first || counterOfChannel(channel)?.kind !== 'latch') return undefined;
    const hasMessage = isPublish(names.at(-1));
    switch (names[0]) {
      case 'decr': {
        const isLast = names[1] === 'del';
        const counted: Action = { do: 'count-down', at: first.at, lock, isLast, hasOpened: isLast && hasMessage };
        return [counted, ...publications(run)];
      }
      case 'exists': {
        const count = names[1] === 'set' ? countFrom(second?.words[2]) : undefined;
        if (!second || count === undefined) return names.length === 1 ? [] : undefined;
        return [{ do: 'set-latch', at: second.at, lock, count }, ...publications(run)];
      }
      case 'del':
        return [{ do: 'delete-latch', at: first.at, lock, isProven: hasMessage }, ...publications(run)];
      default:
        return undefined;
    }
  },
};
