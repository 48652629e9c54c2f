import { describe, expect, test } from 'vitest';
import { groupedBy } from '../../shared/base/grouped-by.ts';
import { isOfLock, type LockEvent } from '../../shared/events/event.ts';
import { type Hold, holdsFromEvents } from '../../shared/spans/holds-from-events.ts';
import type { Wait } from '../../shared/spans/wait.ts';
import { waitsFromEvents } from '../../shared/spans/waits-from-events.ts';
import { lockIdOf } from '../../shared/state/lock-state.ts';
import { holderOf, story } from '../../testing/stories/story.ts';
import { goldens } from '../../testing/traces/read-trace.ts';
import { eventsFromTrace } from '../../testing/traces/trace-file.ts';
import { factsOf } from './attributes.ts';
import type { EndedSpan } from './ended-span.ts';
import { type Limits, LiveSpans } from './live-spans.ts';
import { hrTime, spanFrom } from './span-from.ts';

const FACTS = factsOf({ id: 'main', url: 'redis://10.0.0.9:6379', clockOffsetMs: -3 });
// The tests look at no field of a resource.
const ORIGIN = { resource: {} as never, scope: { name: 'lockscope', version: '1.2.3' } };

function follow(events: readonly LockEvent[], limits?: Limits, isSampled = () => true, isFull = () => false) {
  const ended: EndedSpan[] = [];
  let dropped = 0;
  let skipped = 0;
  const live = new LiveSpans(
    {
      isSampled,
      isFull,
      ended: (span) => ended.push(span),
      skipped: () => skipped++,
      dropped: (count) => (dropped += count),
    },
    limits,
  );
  for (const event of events) live.take(event);
  const spans = ended.map((each) => spanFrom(each, FACTS, ORIGIN));
  return {
    live,
    spans,
    dropped,
    skipped,
    of: (actor: string) => spans.filter((s) => s.attributes['lock.holder'] === holderOf(actor)),
  };
}

const HANDOVER = `
  orders:42 lease 30s
  0.000  A attempts acquired
  1.000  A attempts reentered
  2.500  B attempts refused
  2.501  B subscribes
  2.502  B attempts refused
  3.000  A renews
  4.000  A releases partly
  7.000  A releases
  7.001  B attempts acquired
  8.000  B releases
`;

test('a wait, the hold after it and their events are one trace, with a link to the hold whose release woke the waiter', () => {
  const { of } = follow(story(HANDOVER));
  const [holdOfA] = of('A');
  const [wait, hold] = of('B');
  expect(holdOfA).toMatchObject({
    name: 'lock hold',
    startTime: [1_795_000_000, 2000],
    endTime: [1_795_000_007, 2000],
  });
  expect(holdOfA?.events.map(({ name }) => name)).toEqual([
    ...['lock.reentered', 'lease.renewed', 'lock.partially-released'],
  ]);
  expect(holdOfA?.attributes).toMatchObject({
    ...{ 'db.system.name': 'redis', 'db.namespace': '0', 'server.address': '10.0.0.9', 'server.port': 6379 },
    ...{ 'lock.name': 'orders:42', 'lock.source': 'main', 'lock.clock_offset_ms': -3, 'lock.library': 'redisson' },
    ...{
      'lock.end': 'released',
      'lock.observed': true,
      'lock.hold_count': 2,
      'lock.renewals': 1,
      'lock.lease_ms': 30_000,
    },
  });
  expect(wait).toMatchObject({ name: 'lock wait', startTime: [1_795_000_002, 500_003_000], endTime: hold?.startTime });
  expect(wait?.attributes).toMatchObject({ 'lock.end': 'acquired', 'lock.woken_by': 'message', 'lock.attempts': 2 });
  expect(wait?.links.map(({ context }) => context)).toEqual([holdOfA?.spanContext()]);
  expect(wait?.parentSpanContext).toBeUndefined();
  expect(hold?.parentSpanContext).toEqual(wait?.spanContext());
  expect(hold?.spanContext().traceId).toBe(wait?.spanContext().traceId);
  expect(holdOfA?.spanContext().traceId).not.toBe(wait?.spanContext().traceId);
});

test('the same history gives the same ids, and another lock gives others', () => {
  const ids = (text: string) => follow(story(text)).spans.map((span) => Object.values(span.spanContext()).join('-'));
  expect(ids(HANDOVER)).toEqual(ids(HANDOVER));
  expect(new Set([...ids(HANDOVER), ...ids(HANDOVER.replace('orders:42', 'orders:43'))]).size).toBe(6);
});

test('a single refused attempt has no span, and is not part of the trace of a later hold', () => {
  const { spans } = follow(
    story(`
    orders:42 lease 30s
    0.000  A attempts acquired
    1.000  B attempts refused
    2.000  A releases
    60.000 B attempts acquired
    61.000 B releases
  `),
  );
  expect(spans.map(({ name, parentSpanContext }) => [name, parentSpanContext])).toEqual([
    ['lock hold', undefined],
    ['lock hold', undefined],
  ]);
});

describe('what was not seen', () => {
  test('a hold found by a read, and a hold cut by a blind spot, are named as parts of a hold', () => {
    const { spans, live } = follow(
      story(`
      orders:42 lease 6s
      0.000  X snapshot A×1 6000ms
      1.000  A renews
      2.000  A releases
      3.000  B attempts acquired
      4.000  - loses sight
      5.000  - sees again
      6.000  C attempts acquired
    `),
    );
    expect(spans.map(({ name }) => name)).toEqual(['lock hold (part)', 'lock hold (part)']);
    const [found, cut] = spans.map(({ attributes }) => attributes);
    expect(found).toMatchObject({ 'lock.begin.unseen': true, 'lock.observed': false, 'lock.end': 'released' });
    expect(found).not.toHaveProperty('lock.end.unseen');
    expect(cut).toMatchObject({ 'lock.end.unseen': true, 'lock.end': 'unseen' });
    expect(cut).not.toHaveProperty('lock.begin.unseen');
    expect(live.open).toBe(1);
  });

  test('a hold whose end was only inferred is not marked as observed', () => {
    const { of } = follow(
      story(`
      orders:42 lease 2s
      0.000  A attempts acquired
      5.000  B attempts acquired
    `),
    );
    expect(of('A')[0]?.attributes).toMatchObject({ 'lock.end': 'expired', 'lock.observed': false });
    expect(of('B')).toEqual([]);
  });

  test('a wait without an acquisition, after which the thread unsubscribes, ends as given up', () => {
    const { of } = follow(
      story(`
      orders:42 lease 30s
      0.000  A attempts acquired
      1.000  B attempts refused
      1.001  B subscribes
      1.002  B attempts refused
      3.000  B unsubscribes
    `),
    );
    expect(of('B')).toMatchObject([{ name: 'lock wait', attributes: { 'lock.end': 'gave-up' } }]);
  });
});

const TRACES = goldens().filter(({ folder }) => folder === 'redisson-4.7.0' || folder.startsWith('other/'));

test.each(TRACES)('$folder/$name has the spans of the timeline', (golden) => {
  const events = eventsFromTrace(golden.trace(), golden.isPushFirst, golden.side());
  const { live, spans } = follow(events);
  const byLock = groupedBy(events.filter(isOfLock), lockIdOf);
  // Leave out what the timeline corrects later: how a hold ended if its end was not seen.
  const expected = [...byLock.values()].flatMap((ofLock) =>
    [...holdsFromEvents(ofLock), ...waitsFromEvents(ofLock)].filter(
      ({ ended }) => ended !== null && ended !== 'unseen',
    ),
  );
  const reported = spans.filter(({ attributes }) => attributes['lock.end'] !== 'unseen');
  const shown = ({ attributes, startTime, endTime }: (typeof spans)[number]) =>
    [attributes['lock.holder'], attributes['lock.mode'], startTime, endTime].join(' ');
  const ofSpan = ({ holder, mode, from, to }: Hold | Wait) => {
    const end = to === null || to < from ? from : to;
    return [holder, mode, hrTime(from), hrTime(end)].join(' ');
  };
  expect(reported.map(shown).sort()).toEqual(expected.map(ofSpan).sort());
  expect(new Set(spans.map((span) => span.spanContext().spanId)).size).toBe(spans.length);
  const parents = new Set(spans.map((span) => span.spanContext().spanId));
  for (const { parentSpanContext } of reported) {
    if (parentSpanContext) expect(parents).toContain(parentSpanContext.spanId);
  }
  live.forget([...byLock.keys()]);
  expect(live.open).toBe(0);
});

describe('limits', () => {
  const many = ['A', 'B', 'C', 'D'].flatMap((actor) =>
    story(`lock:${actor} lease 30s\n0.000 ${actor} attempts acquired`),
  );

  test('beyond a number of locks, the lock that was traced first is dropped and counted', () => {
    const { live, dropped } = follow(many, { locks: 3, perLock: 9, notes: 9 });
    expect([live.open, dropped]).toEqual([3, 1]);
  });

  test('single attempts of many threads do not displace a hold', () => {
    const attempts = Array.from({ length: 30 }, (_, n) => `${(n / 10).toFixed(3)} B${n + 1} attempts refused`);
    const text = ['orders:42 lease 30s', '0.000 A attempts acquired', ...attempts, '4.000 A releases'];
    const { of, dropped } = follow(story(text.join('\n')), { locks: 9, perLock: 5, notes: 9 });
    expect(of('A')).toMatchObject([{ name: 'lock hold' }]);
    expect(dropped).toBe(0);
  });

  test('notes of a span beyond the limit are only counted', () => {
    const renewals = Array.from({ length: 5 }, (_, n) => `${n + 1}.000 A renews`);
    const text = ['orders:42 lease 30s', '0.000 A attempts acquired', ...renewals, '9.000 A releases'];
    const { of } = follow(story(text.join('\n')), { locks: 9, perLock: 9, notes: 2 });
    expect(of('A')[0]).toMatchObject({ droppedEventsCount: 3, attributes: { 'lock.renewals': 5 } });
    expect(of('A')[0]?.events).toHaveLength(2);
  });

  test('a hold that ended makes room for the notes of others', () => {
    const turn = (n: number) => [`${n}.000 A attempts acquired`, `${n}.100 A renews`, `${n}.200 A releases`];
    const { of } = follow(story(['orders:42 lease 30s', ...[0, 1, 2].flatMap(turn)].join('\n')), {
      locks: 9,
      perLock: 9,
      notes: 1,
    });
    expect(of('A').map(({ events }) => events.length)).toEqual([1, 1, 1]);
  });

  test('a wait links the first 16 holds whose release woke it, and counts the others', () => {
    const turn = (n: number) => [
      `${n + 1}.000 C${n} releases`,
      `${n + 1}.001 C${n + 1} attempts acquired`,
      `${n + 1}.002 B attempts refused`,
    ];
    const { of } = follow(
      story(
        [
          'orders:42 lease 30s',
          '0.000 C0 attempts acquired',
          '0.100 B attempts refused',
          '0.101 B subscribes',
          '0.102 B attempts refused',
          ...Array.from({ length: 18 }, (_, n) => turn(n)).flat(),
          '20.000 C18 releases',
          '20.001 B attempts acquired',
        ].join('\n'),
      ),
    );
    const [wait] = of('B');
    expect(wait?.links).toHaveLength(16);
    expect(wait?.droppedLinksCount).toBe(3);
  });

  test('a trace is exported completely or not at all, and no link leads to a missing one', () => {
    const answers = [false, true];
    const { spans, skipped } = follow(story(HANDOVER), undefined, () => answers.shift() ?? false);
    expect(spans.map(({ name, links }) => [name, links])).toEqual([
      ['lock wait', []],
      ['lock hold', []],
    ]);
    expect(skipped).toBe(1);
  });

  test('while there are too many traces, no further locks are traced', () => {
    const { live, spans, skipped } = follow(
      many,
      undefined,
      () => true,
      () => true,
    );
    expect([live.open, spans.length, skipped]).toEqual([0, 0, 4]);
  });
});

test('the span of a waiter that was asleep when first seen is named a part, and marked as begun unseen', () => {
  const text = `
    orders:42 lease 30s
    0.000  - snapshot A×1 30000 1
    5.000  B attempts refused
    20.000 A renews
    30.002 B attempts refused
    40.000 A releases
    40.001 B attempts acquired
    41.000 B releases
  `;
  const [wait] = follow(story(text)).of('B');
  expect(wait).toMatchObject({ name: 'lock wait (part)', attributes: { 'lock.begin.unseen': true } });
});
