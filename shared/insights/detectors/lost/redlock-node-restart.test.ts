import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { groupEvents, groupsReported } from '../../../../testing/stories/group-story.ts';
import { seconds } from '../../../../testing/stories/story.ts';
import { withGroups } from '../../../../testing/traces/grouped-trace.ts';

const verdict = (text: string, at: number, watching: Watching = {}) =>
  verdictAt('redlock-node-restart', withGroups(groupEvents(text)), seconds(at), watching);
const holderOf = (client: string) =>
  `000000${client.toLowerCase().charCodeAt(0).toString(16)}-0000-4000-8000-000000000000:62`;

const HELD = `
  0.000 1/pay A:62 acquired
  0.003 2/pay B:62 acquired
  0.006 3/pay C:62 acquired`;
const restarts = (server: number, client: string, at: number) => `
  ${at}.0 ${server}/- -:- unseen
  ${at}.4 ${server}/- -:- seen-again
  ${at}.5 ${server}/pay ${client}:62 lost`;
const TWO_RESTARTS = `${HELD}${restarts(1, 'A', 2)}${restarts(2, 'B', 4)}`;
const TAKEN = `
  6.000 1/pay D:62 acquired
  6.003 2/pay E:62 acquired
  6.006 3/pay F:62 refused`;

describe('redlock-node-restart', () => {
  test('fires once at most half of the servers have the lock, and names a server that still has it', () => {
    const values = { holder: holderOf('C'), servers: 3, left: 1, lostAt: seconds(4.5), heldBy: null };
    expect(verdict(TWO_RESTARTS, 5)).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'likely', source: '3', lock: 'pay', holders: [holderOf('C')] },
        ...{ from: seconds(4.5), to: null, values },
      },
    ]);
    const ids = [5, 60].map((at) => (verdict(TWO_RESTARTS, at) as readonly { id: string }[])[0]?.id);
    expect(ids[1]).toBe(ids[0]);
  });

  test('counts only the servers that granted the lock: if two did, one restart is enough to fire', () => {
    const onTwoServers = `${HELD.replace('3/pay C:62 acquired', '3/pay C:62 refused')}${restarts(1, 'A', 2)}`;
    expect(verdict(onTwoServers, 3)).toMatchObject([{ source: '2', values: { servers: 2, left: 1 } }]);
  });

  test('is critical if another client acquired a majority', () => {
    expect(verdict(`${TWO_RESTARTS}${TAKEN}`, 7)).toMatchObject([
      { severity: 'critical', holders: [holderOf('C'), holderOf('D')], values: { heldBy: holderOf('D') } },
    ]);
    const onOneServer = TAKEN.replace('2/pay E:62 acquired', '2/pay E:62 refused');
    expect(verdict(`${TWO_RESTARTS}${onOneServer}`, 7)).toMatchObject([
      { severity: 'warning', values: { heldBy: null } },
    ]);
  });

  test('does not fire while a majority has the lock, or if the restarted servers have kept it', () => {
    expect(verdict(`${HELD}${restarts(1, 'A', 2)}`, 5)).toEqual([]);
    expect(verdict(TWO_RESTARTS.replaceAll('lost', 'found'), 5)).toEqual([]);
    expect(verdict(TWO_RESTARTS.replace('A:62 lost', 'A:62 found'), 5)).toEqual([]);
  });

  test('does not fire if the client is gone: its thread no longer works', () => {
    expect(verdict(`${TWO_RESTARTS}\n5 3/pay C:62 leaves`, 6)).toEqual([]);
  });

  test('does not fire once the holder released the lock, tried to unlock it, or holds it again', () => {
    expect(verdict(`${TWO_RESTARTS}\n5 3/pay C:62 released`, 6)).toEqual([]);
    expect(verdict(`${TWO_RESTARTS}\n5 1/pay A:62 unlock-refused`, 6)).toEqual([]);
    expect(verdict(`${TWO_RESTARTS}\n5 1/pay A:62 acquired`, 6)).toEqual([]);
  });

  test('does not fire for a multi lock of one server, or for locks that do not belong together', () => {
    const onOne = `
      0.000 1/a A:62 acquired 2000
      0.003 1/b A:62 acquired 2000
      0.006 1/a -:- lease-set 4000
      0.009 1/b -:- lease-set 4000
      2.000 1/- -:- unseen
      2.400 1/- -:- seen-again
      2.500 1/a A:62 lost
      2.600 1/b A:62 found`;
    expect(groupsReported(onOne).slice(-2)).toEqual(['g1', '–']);
    expect(verdict(onOne, 5)).toEqual([]);
    const apart = TWO_RESTARTS.replace('0.003', '0.903').replace('0.006', '1.906').replace('B:62', 'B:63');
    expect(verdict(apart.replaceAll('C:62', 'C:64').replaceAll('B:62', 'B:63'), 5)).toEqual([]);
  });

  test('does not fire if a server that answered late may also have granted the lock', () => {
    const late = `${HELD.replace('0.006 3', '0.906 3')}${restarts(1, 'A', 2)}`;
    expect(verdict(late, 3)).toEqual([]);
    expect(verdict(late.replace('C:62', 'C:63'), 3)).toMatchObject([{ source: '2' }]);
  });

  test('cannot know while a server with the lock is not watched, or before the lock is seen there again', () => {
    const ofFive = `${HELD}${restarts(1, 'A', 2)}\n  4 2/- -:- unseen`;
    expect(verdict(ofFive, 5)).toBe('cannot know: unwatched');
    expect(verdict(`${ofFive}\n  5 2/- -:- seen-again`, 6)).toBe('cannot know: blind-spot');
  });

  test('cannot know at level snapshot', () => {
    expect(verdict(TWO_RESTARTS, 5, { level: 'events' })).toHaveLength(1);
    expect(verdict(TWO_RESTARTS, 5, { level: 'snapshot' })).toBe('cannot know: level');
  });
});
