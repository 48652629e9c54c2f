import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';

const verdict = (text: string, at: number, watching: Watching = {}) =>
  verdictAt('holder-without-connection', story(`report lease 900s\n${text}`), seconds(at), watching);

/** A held the lock before, B asks for it, and three lists show these connections. */
const lists = (rows: string) => `
   0.000  - snapshot A×1 600000
   1.000  B attempts refused
   5.000  redis lists ${rows}
  10.000  redis lists ${rows}
  15.500  redis lists ${rows}
`;
const UNKNOWN = 'cannot know: presence';
const LIKELY = {
  severity: 'warning',
  confidence: 'likely',
  holders: [holderOf('A')],
  from: seconds(5),
  isAtLeast: true,
};

describe('holder-without-connection', () => {
  test('is likely if every open connection has belonged to another client for 10 s', () => {
    const found = verdict(lists('B'), 16);
    expect(found).toMatchObject([{ ...LIKELY, to: null, effect: 'orphaned', values: { connections: 0 } }]);
    expect(verdict(lists('B'), 14)).toBe(UNKNOWN);
  });

  test('does not count lists before a blind spot, during which the client of the holder may have connected', () => {
    const blindSpot = '16 redis loses sight\n20 redis sees again\n20.1 - snapshot A×1 600000';
    const after = lists('B').replace('0.000  - snapshot A×1 600000', '') + blindSpot;
    const listed = (...times: number[]) => times.map((at) => `\n${at} redis lists B`).join('');
    expect(verdict(after + listed(21), 22)).toBe(UNKNOWN);
    expect(verdict(after + listed(21, 26, 31.5), 32)).toMatchObject([{ ...LIKELY, from: seconds(21) }]);
  });

  test('reports a reader beside another reader as one of several holders, and reports no end of its hold', () => {
    const readers = [holderOf('A'), holderOf('B')].map((holder) => ({ holder, holdCount: 1, mode: 'read' as const }));
    const events = story(`report lease 900s\n${lists('B')}`).map((event) =>
      event.type === 'lock.found' ? { ...event, kind: 'read-write-lock' as const, holders: readers } : event,
    );
    const found = verdictAt('holder-without-connection', events, seconds(16));
    expect(found).toMatchObject([
      { ...LIKELY, selfHealsAt: null, values: { endsAt: null, isReader: true, isShared: true } },
    ]);
    expect(verdict(lists('B'), 16)).toMatchObject([{ values: { isReader: false, isShared: false } }]);
  });

  test('cannot know while one connection that pings and sends no script may belong to the client', () => {
    expect(verdict(lists('B messages-of-b other'), 16)).toBe(UNKNOWN);
  });

  test('attributes one connection for messages to each other client on the host', () => {
    expect(verdict(lists('B messages-of-b'), 16)).toMatchObject([LIKELY]);
  });

  test('attributes no connection with another name to a client, though it has the same host', () => {
    expect(verdict(lists('B=orders other=report'), 16)).toBe(UNKNOWN);
  });

  test('attributes the connections of a pool to the named client that opened them together, if each client has its own name', () => {
    const two = (rows: string) => `1.500 C attempts refused\n${lists(rows)}`;
    expect(verdict(two('B@100=orders c@100=orders d@101=orders C=stock'), 16)).toMatchObject([LIKELY]);
    expect(verdict(two('B@100=orders c@100=orders d@40=orders e@40=orders C=stock'), 16)).toBe(UNKNOWN);
    expect(verdict(two('B@100 c@100 d@101 C=stock'), 16)).toBe(UNKNOWN);
    expect(verdict(two('B@100=orders c@100=orders d@101=orders C=orders'), 16)).toBe(UNKNOWN);
    expect(verdict(lists('B@100=orders c@100=orders d@101=orders'), 16)).toBe(UNKNOWN);
  });

  test('cannot know if two more connections are open beside two other clients, each of which may have no further ones', () => {
    expect(verdict(`1.500 C attempts refused\n${lists('B C other')}`, 16)).toMatchObject([LIKELY]);
    expect(verdict(`1.500 C attempts refused\n${lists('B C other another')}`, 16)).toBe(UNKNOWN);
  });

  test('ignores connections of other libraries, since Redisson sends no library name', () => {
    expect(verdict(lists('B cache+redis-py c+lettuce'), 16)).toMatchObject([LIKELY]);
  });

  test('ignores connections of a Lockscope, which send commands all the time', () => {
    expect(verdict(lists('B a=lockscope b=lockscope-demo'), 16)).toMatchObject([LIKELY]);
    expect(verdict(lists('B a=lockscopes'), 16)).toBe(UNKNOWN);
  });

  test('is a hint at a paused client if only silent connections may belong to it', () => {
    const found = verdict(lists('B other/100 another/120'), 16);
    expect(found).toMatchObject([
      { severity: 'hint', confidence: 'hint', from: seconds(15.5 - 100), values: { connections: 2 } },
    ]);
    expect(verdict(lists('B other/100 another/20'), 16)).toBe(UNKNOWN);
  });

  test('is a hint sooner if the silent connection is the only one of its host and name, because a client has at least two', () => {
    expect(verdict(lists('B=orders other/40=tools'), 16)).toMatchObject([
      { severity: 'hint', confidence: 'hint', from: seconds(15.5 - 40), values: { connections: 1 } },
    ]);
    expect(verdict(lists('B=orders other/30=tools'), 16)).toBe(UNKNOWN);
    expect(verdict(lists('B=orders other/40=tools another/40=tools'), 16)).toBe(UNKNOWN);
    expect(verdict(lists('B=orders other/40=tools another/40=more'), 16)).toMatchObject([
      { values: { connections: 2 } },
    ]);
  });

  test('ends as soon as its client sends a script', () => {
    const back = `${lists('B')} 17.000 A renews`;
    expect(verdict(back, 17.1)).toEqual([]);
    expect(story(`report lease 900s\n${back}`).find(({ type }) => type === 'client.connected')).toBeDefined();
  });

  test('ends if a connection appears that may belong to the client, or if there is no list', () => {
    expect(verdict(`${lists('B')} 20.000 redis lists B c d`, 21)).toBe(UNKNOWN);
    expect(verdict(`${lists('B')} 20.000 redis cannot list`, 21)).toBe(UNKNOWN);
  });

  test('cannot know if no list has shown a known address, because lists may show other addresses than MONITOR', () => {
    expect(verdict(lists('elsewhere+jedis'), 16)).toBe(UNKNOWN);
  });

  test('cannot know at level events, where no script shows a connection', () => {
    expect(verdict(lists('B'), 16, { level: 'events' })).toBe('cannot know: level');
  });
});
