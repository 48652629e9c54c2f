import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { heardStory, pushed, readFree, readHeld } from '../../../../testing/stories/heard-story.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';
import type { Step } from '../../../signals/step.ts';

const verdict = (text: string, at: number, watching: Watching = {}) =>
  verdictAt('operator-delete-or-flush', story(`orders:42 lease 30s\n${text}`), seconds(at), watching);

const DELETED = `
  0.000  A attempts acquired
  1.000  operator command DEL orders:42
`;

describe('operator-delete-or-flush', () => {
  test('fires for a held lock; is critical once another thread acquired it before the holder noticed', () => {
    expect(verdict(DELETED, 2)).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'certain', from: seconds(1), to: null, holders: [holderOf('A')] },
        values: { command: 'DEL', address: '10.0.0.1:operator', takenBy: null },
      },
    ]);
    const taken = `${DELETED}\n 2.000 B attempts acquired\n 3.000 A unlock refused`;
    expect(verdict(taken, 4)).toMatchObject([
      { severity: 'critical', holders: [holderOf('A'), holderOf('B')], to: seconds(3.000_001) },
    ]);
    expect(verdict(taken, 1000)).toEqual([]);
  });

  test('fires for a holder that was not seen, if a refused thread was asleep', () => {
    const refused = '0.000 B attempts refused\n 0.001 B subscribes\n 0.002 B attempts refused';
    const deleted = `${refused}\n 5.000 operator command DEL orders:42`;
    expect(verdict(deleted, 6)).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'likely', holders: [], from: seconds(5) },
        values: { holder: null, refusedAt: seconds(0.002_003), command: 'DEL', takenBy: null },
      },
    ]);
    expect(verdict(`${deleted}\n 9.000 B attempts acquired`, 10)).toMatchObject([
      { severity: 'critical', holders: [holderOf('B')], values: { holder: null, takenBy: holderOf('B') } },
    ]);
    // a thread that asked once does not show whether the lock was still held
    expect(verdict('0.000 B attempts refused\n 5.000 operator command DEL orders:42', 6)).toEqual([]);
    expect(verdict(`${refused}\n 1.000 A releases\n 5.000 operator command DEL orders:42`, 6)).toEqual([]);
    const afterBlindSpot = `${refused}\n 1.000 - loses sight\n 2.000 - sees again\n 5.000 operator command DEL orders:42`;
    expect(verdict(afterBlindSpot, 6)).toEqual([]);
  });

  test('fires for RENAME, MOVE, SET and SWAPDB, which take the lock from its holder as DEL does', () => {
    for (const command of ['RENAME orders:42 backup', 'MOVE orders:42 5', 'SET orders:42 x', 'SWAPDB 0 1']) {
      const taken = `0.000 A attempts acquired\n 1.000 operator command ${command}`;
      expect(verdict(taken, 2), command).toMatchObject([
        { confidence: 'certain', holders: [holderOf('A')], values: { command: command.split(' ')[0] } },
      ]);
    }
  });

  test('does not fire if RENAME or RESTORE brought the key back before another thread acquired the lock', () => {
    const gone = '0.000 A attempts acquired\n 1.000 operator command RENAME orders:42 spare';
    const back = (at: number) => `${at} operator command RENAME spare orders:42\n ${at}1 redis snapshot A×1 27000`;
    expect(verdict(`${gone}\n ${back(1.01)}`, 1.1)).toEqual([]);
    expect(verdict(`${gone}\n ${back(1.01)}`, 5)).toEqual([]);
    expect(verdict(gone, 1.1)).toEqual([]);
    expect(verdict(gone, 1.3)).toMatchObject([{ holders: [holderOf('A')] }]);
    const taken = verdict(`${gone}\n 1.500 B attempts acquired\n ${back(3.1)}`, 4);
    expect(taken[0]).toMatchObject({ severity: 'critical', holders: [holderOf('A'), holderOf('B')] });
  });

  test('fires for a lease that a command of another client shortened, which three related detectors leave out', () => {
    const cut = `
      0.000  A attempts acquired
      1.000  operator command EXPIRE orders:42 2
      3.001  redis hears expired
      5.000  B attempts acquired
      6.000  A unlock refused
    `;
    expect(verdict(cut, 7)).toMatchObject([
      {
        ...{ severity: 'critical', confidence: 'likely', holders: [holderOf('A'), holderOf('B')] },
        values: { command: null, address: '10.0.0.1:operator', shortenedAt: seconds(1) },
      },
    ]);
    const events = story(`orders:42 lease 30s\n${cut}`);
    const others = ['lease-shorter-than-work', 'watchdog-starved', 'renewal-broken-after-error'] as const;
    for (const other of others) expect(verdictAt(other, events, seconds(7)), other).toEqual([]);
    // the holder sets the lease again afterwards
    const renewed = '0.000 A attempts acquired\n 1.000 operator command EXPIRE orders:42 2\n 2.000 A renews';
    expect(verdict(`${renewed}\n 32.001 redis hears expired\n 33.000 A unlock refused`, 34)).toEqual([]);
  });

  test('does not blame the holder’s own command once its acquisition is too old to be looked at', () => {
    const cut = (by: string) => `
      0.000    A attempts acquired
      880.000  ${by} command EXPIRE orders:42 3
      883.001  redis hears expired
      885.000  B attempts acquired
    `;
    const found = (by: string, at: number) =>
      verdictAt('operator-delete-or-flush', story(`orders:42 lease 1000s\n${cut(by)}`), seconds(at)).length;
    expect([890, 899, 901, 1000].map((at) => found('A-commands', at))).toEqual([0, 0, 0, 0]);
    expect([890, 899, 901, 1000].map((at) => found('operator', at))).toEqual([1, 1, 0, 0]);
  });

  test('does not blame the holder’s own command if only newer ones of its client, on another connection, are in view', () => {
    const cut = (by: string) => `
      0.000    A attempts acquired
      800.000  A renews
      880.000  ${by} command EXPIRE orders:42 3
      883.001  redis hears expired
      885.000  B attempts acquired
    `;
    const found = (by: string, at: number) => {
      const events = story(`orders:42 lease 1000s\n${cut(by)}`).map((event) =>
        event.type === 'lease.renewed' ? { ...event, by: '10.0.0.1:A-others' } : event,
      );
      return verdictAt('operator-delete-or-flush', events, seconds(at)).length;
    };
    expect([890, 901, 1000].map((at) => found('A-commands', at))).toEqual([0, 0, 0]);
    expect([890, 901, 1000].map((at) => found('operator', at))).toEqual([1, 1, 1]);
  });

  test('fires for a held lock that a flush removed', () => {
    const flushed = '0.000 A attempts acquired\n 1.000 operator command FLUSHDB';
    expect(verdict(flushed, 2)).toMatchObject([{ values: { command: 'FLUSHDB' } }]);
  });

  test('does not fire for a release, a force-unlock, a free lock, or the lock of a client that is gone', () => {
    expect(verdict('0.000 A attempts acquired\n 1.000 A releases', 2)).toEqual([]);
    expect(verdict('0.000 A attempts acquired\n 1.000 B force-unlocks', 2)).toEqual([]);
    expect(verdict('0.000 A attempts acquired\n 1.000 A releases\n 2.000 operator command DEL orders:42', 3)).toEqual(
      [],
    );
    const gone = '0.000 A attempts acquired\n 1.000 redis lists A other\n 6.000 redis lists other';
    expect(verdict(`${gone}\n 12.000 redis lists other\n 13.000 operator command DEL orders:42`, 14)).toEqual([]);
  });

  test('at level events, is a hint without the command if no release message came', () => {
    const heard = (...steps: readonly Step[]) =>
      verdictAt('operator-delete-or-flush', heardStory(readHeld(1, 'A', 20_000), ...steps, readFree(4)), seconds(6), {
        level: 'events',
      });
    const hint = { severity: 'warning', confidence: 'hint', holders: [holderOf('A')], from: seconds(4) };
    expect(heard(pushed(4, 'del'))).toMatchObject([{ ...hint, values: { command: null, address: null } }]);
    expect(heard(pushed(4, 'del'), pushed(4, 'release'))).toBe('cannot know: level');
    expect(heard(pushed(4, 'expired'))).toBe('cannot know: level');
  });

  test('at level events, is likely if the database was emptied', () => {
    const gone: Step = {
      ...{ kind: 'bookmark', at: seconds(4) },
      reads: [
        {
          ...{ db: 0, name: 'orders:42', hasChanged: false, type: 'none', fields: {}, pttl: -2, subscribers: null },
          isFlushed: true,
        },
      ],
    };
    const events = heardStory(readHeld(1, 'A', 20_000), gone);
    expect(verdictAt('operator-delete-or-flush', events, seconds(6), { level: 'events' })).toMatchObject([
      { severity: 'warning', confidence: 'likely', holders: [holderOf('A')], values: { isEmptied: true } },
    ]);
  });

  test('fires for a deletion of an own lock by another connection only if holders usually release it, or if its holder is refused later', () => {
    const [grant] = story('job lease 60s\n 0.000 A attempts acquired');
    const reported = (seq: number, detail: object) =>
      ({
        ...grant,
        seq,
        at: seconds(seq),
        kind: 'token-lock',
        library: 'unknown',
        holder: 'a',
        ...detail,
      }) as LockEvent;
    const take = (seq: number) => reported(seq, { type: 'lock.acquired', mode: 'exclusive', holdCount: 1 });
    const remove = (seq: number) =>
      reported(seq, { type: 'lock.deleted', holders: ['a'], command: 'DEL', by: 'worker:1' });
    const found = (...events: LockEvent[]) => verdictAt('operator-delete-or-flush', events, seconds(9));
    expect(found(take(1), remove(2), take(3), remove(4))).toEqual([]);
    const onHash = (event: LockEvent) => ({ ...event, kind: 'lock' }) as LockEvent;
    expect(found(...[take(1), remove(2)].map(onHash))).toEqual([]);
    const released = reported(2, { type: 'lock.released', mode: 'exclusive', holdCount: 0 });
    expect(found(take(1), released, take(3), remove(4))).toMatchObject([{ from: seconds(4) }]);
    const refused = reported(3, { type: 'unlock.refused', reason: 'no-lock' });
    expect(found(take(1), remove(2), refused)).toMatchObject([{ from: seconds(2), to: seconds(3) }]);
    const onCacheKey = (event: LockEvent) =>
      ({ ...event, kindKnown: false, evidence: ['token', 'released'] }) as LockEvent;
    const onKeyWithLockName = (event: LockEvent) =>
      ({ ...event, kindKnown: false, evidence: ['name', 'released'] }) as LockEvent;
    const usual = [take(1), released, take(3), remove(4)];
    expect(found(...usual.map(onCacheKey))).toEqual([]);
    expect(found(...[...usual, { ...refused, seq: 5 }].map(onCacheKey))).toHaveLength(1);
    expect(found(...usual.map(onKeyWithLockName))).toHaveLength(1);
    const ofLibrary = (event: LockEvent) => ({ ...event, library: 'redis-py' }) as LockEvent;
    expect(found(...[take(1), remove(2)].map(ofLibrary))).toMatchObject([{ from: seconds(2) }]);
  });

  test('is over for a lock with a token once a renewal is refused, the client is gone, or the lease would have ended', () => {
    const [grant] = story('job lease 20s\n 0.000 A attempts acquired');
    const own = { kind: 'token-lock', library: 'redis-py', holder: 'a', mode: 'exclusive' };
    const event = (seq: number, detail: object) =>
      ({ ...grant, ...own, seq, at: seconds(seq), ...detail }) as LockEvent;
    const take = event(1, { type: 'lock.acquired', holdCount: 1, expiresAt: seconds(20) });
    const flush = event(2, { type: 'db.flushed', holders: ['a'], command: 'FLUSHDB', by: 'ops:1' });
    const next = (seq: number) => event(seq, { type: 'lock.acquired', holder: 'b', holdCount: 1, expiresAt: null });
    const at = (second: number, ...later: LockEvent[]) =>
      verdictAt('operator-delete-or-flush', [take, flush, ...later], seconds(second));
    expect(at(19)).toMatchObject([{ severity: 'warning', to: null }]);
    expect(at(20)).toMatchObject([{ severity: 'warning', to: seconds(20) }]);
    expect(at(19, next(18))).toMatchObject([{ severity: 'critical', to: null }]);
    expect(at(22, next(21))).toMatchObject([{ severity: 'warning', to: seconds(20), values: { takenBy: null } }]);
    const refused = event(5, { type: 'renewal.refused', reason: 'no-lock' });
    expect(at(6, refused)).toMatchObject([{ severity: 'warning', to: seconds(5) }]);
    expect(at(7, refused, next(6))).toMatchObject([{ severity: 'warning', values: { takenBy: null } }]);
    const gone = event(4, { type: 'client.gone', client: 'a', addresses: ['app:1'], lock: '', since: seconds(3) });
    expect(at(6, gone)).toMatchObject([{ severity: 'warning', to: seconds(3) }]);
  });

  test('still names a command that was seen after the level has changed', () => {
    expect(verdict(DELETED, 2, { level: 'events' })).toMatchObject([{ values: { command: 'DEL' } }]);
  });
});
