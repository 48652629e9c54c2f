import { expect, test } from 'vitest';
import { seconds } from '../../../../testing/stories/story.ts';
import type { KeyRead, LineSignal } from '../../../signals/signal.ts';
import { decideOwnLocks } from '../../apply/tokens/own-locks.ts';
import { Interpreter } from '../../interpreter.ts';

/** An interpreter that gets plain commands and the replies of reads. */
function watched() {
  const interpreter = new Interpreter({ source: 'redis' });
  const doubts: string[] = [];
  const gone: string[] = [];
  interpreter.onDoubt = (key) => doubts.push(key.name);
  interpreter.keys.onEvicted = (key) => gone.push(key.name);
  return {
    interpreter,
    doubts,
    gone,
    offered: (at: number) => interpreter.ownLocks.at(seconds(at)).map(({ name }) => name),
    says(at: number, text: string) {
      const head: LineSignal = { kind: 'line', at: seconds(at), db: 0, client: '10.0.0.1:1', words: text.split(' ') };
      return interpreter.interpret({ kind: 'command', head, inner: [], pushes: [] });
    },
    reads(at: number, name: string, token: string) {
      const companions = { token: [token] };
      const read: KeyRead = {
        ...{ db: 0, name, type: 'string', fields: {}, hasChanged: false, pttl: 29_800, subscribers: null, companions },
      };
      return interpreter.interpret({ kind: 'bookmark', at: seconds(at), reads: [read] });
    },
  };
}

test('[T9] a SET NX with a lease, but not of a known library, is offered by name and has no event', () => {
  const { says, offered, doubts } = watched();
  expect(says(0, 'SET l token NX PX 30000')).toEqual([]);
  says(1, 'SET orders-lock 1 NX EX 30');
  expect(offered(2)).toEqual(['orders-lock', 'l']);
  expect(doubts).toEqual([]);
  for (const cache of ['seen:17 1 NX EX 60', 'seen:18 {"id":1} NX EX 60', 'page text EX 60', 'for:good token NX'])
    says(3, `SET ${cache}`);
  expect(offered(4)).toEqual(['orders-lock', 'l']);
  expect(offered(700)).toEqual([]);
});

test('[T9] once own locks are shown, a read reports the holder, and later attempts are events', () => {
  const { interpreter, says, reads, offered, doubts } = watched();
  says(0, 'SET l token NX PX 30000');
  decideOwnLocks(interpreter, { shown: true });
  expect([doubts, offered(0.1)]).toEqual([['l'], []]);
  expect(reads(0.2, 'l', 'token')).toMatchObject([
    { type: 'lock.acquired', lock: 'l', holder: 'token', kind: 'token-lock', leaseMs: 30_000, at: seconds(0) },
  ]);
  expect(says(1, 'SET l other NX PX 30000')).toMatchObject([{ type: 'lock.refused', holder: 'other' }]);
  expect(says(2, 'DEL l')).toMatchObject([{ type: 'lock.released', holder: 'token' }]);
  says(3, 'SET m worker-1 NX PX 30000');
  expect(reads(3.1, 'm', 'worker-1')).toMatchObject([{ type: 'lock.acquired', lock: 'm' }]);
});

test('[T9] hidden again, own locks are forgotten and offered again', () => {
  const { interpreter, says, reads, offered, gone } = watched();
  says(0, 'SET l token NX PX 30000');
  decideOwnLocks(interpreter, { shown: true });
  reads(0.1, 'l', 'token');
  decideOwnLocks(interpreter, { shown: false });
  expect([gone, offered(0.2), interpreter.keys.find(0, 'l')]).toEqual([['l'], ['l'], undefined]);
  expect(says(1, 'SET l other NX PX 30000')).toEqual([]);
});

test('[T9] the newest 1000 are offered, and none if --match selects the locks', () => {
  const { interpreter, says, offered } = watched();
  for (let n = 0; n < 1500; n++) says(n / 1000, `SET job-${n} token NX PX 30000`);
  expect([offered(2).length, offered(2)[0], interpreter.ownLocks.isMore]).toEqual([1000, 'job-1499', true]);
  const other = watched();
  other.interpreter.ownLocks.isOffered = false;
  other.says(0, 'SET l token NX PX 30000');
  expect(other.offered(1)).toEqual([]);
});
