import { expect, test } from 'vitest';
import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { LineSignal } from '../../../shared/signals/signal.ts';
import { sharesOf } from '../terms/memory-shares.ts';
import { SourceStream } from './source-stream.ts';

const HOLDER = '0a000000-0000-4000-8000-000000000000:1';
const OTHER = '0b000000-0000-4000-8000-000000000000:1';
const at = (ms: number) => redisTime(1_795_000_000_000_000 + ms * 1000);

/** A source at level `monitor`, and the events it reported. */
function watched() {
  const events: LockEvent[] = [];
  const stream = new SourceStream(
    {
      id: 'redis',
      shownUrl: 'redis://somewhere:6379',
      topology: 'single',
      place: null,
      level: 'monitor',
      hasBudget: true,
      match: [],
      isRecorded: false,
      madeBy: 'a test',
      memory: sharesOf(),
    },
    {
      onEvents: (made) => events.push(...made),
      onRecorded: () => {},
      onKey: () => {},
      onDoubt: () => {},
      onUnseen: () => {},
      onNewClient: () => {},
      onLongToken: () => {},
      onEvicted: () => {},
    },
  );
  const source = { id: 'redis', url: 'redis://somewhere:6379', redisVersion: '7.0.0', role: 'master' } as const;
  stream.beginSight({ ...source, level: 'monitor', isPushFirst: true, topology: 'single' }, at(0));
  return { stream, events };
}

/** The lines of an acquisition by `holder` of a lock that is free. */
function acquisition(holder: string, time: RedisTime): LineSignal[] {
  const line = (client: string | null, ...words: string[]): LineSignal => {
    return { kind: 'line', at: time, db: 0, client, words };
  };
  return [
    line('1.2.3.4:5', 'EVALSHA', 'a'.repeat(40), '1', 'orders:42', '30000', holder),
    line(null, 'exists', 'orders:42'),
    line(null, 'hincrby', 'orders:42', holder, '1'),
    line(null, 'pexpire', 'orders:42', '30000'),
  ];
}

test.each([1, 2, 3, 4])(
  '[S7] a script of which %i lines have arrived when the connection ends is not seen',
  (arrived) => {
    const { stream, events } = watched();
    for (const line of acquisition(HOLDER, at(10))) stream.pipeline.add(line);
    for (const line of acquisition(OTHER, at(20)).slice(0, arrived)) stream.pipeline.add(line);
    stream.endSight(at(30), 'connection-lost');
    expect(events.map(({ type }) => type)).toEqual(['lock.acquired', 'blind-spot.began']);
    expect(events.at(-1)).toMatchObject({ at: at(20), reason: 'connection-lost' });
  },
);

test('[S7] a script that is followed by another line is complete when the connection ends', () => {
  const { stream, events } = watched();
  for (const line of acquisition(HOLDER, at(10))) stream.pipeline.add(line);
  stream.pipeline.add('other');
  stream.endSight(at(30), 'connection-lost');
  expect(events.map(({ type }) => type)).toEqual(['lock.acquired', 'blind-spot.began']);
  expect(events.at(-1)).toMatchObject({ at: at(30) });
});

test('[S7] a script that is still open when watching ends is not seen', () => {
  const { stream, events } = watched();
  for (const line of acquisition(HOLDER, at(10)).slice(0, 2)) stream.pipeline.add(line);
  stream.end(at(30));
  expect(events).toEqual([]);
});
