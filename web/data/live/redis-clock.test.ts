import { expect, test } from 'vitest';
import { makeSource } from '../../testing/make.ts';
import { RedisClock } from './redis-clock.ts';

const MS = 1000;

test('the time is unknown before the first reading', () => {
  expect(new RedisClock().at(0)).toBeNull();
});

test('the reading with the shortest round trip is used', () => {
  const clock = new RedisClock();
  clock.addReading({ sentAt: 1000, heardAt: 1400, at: 900_000 * MS });
  clock.addReading({ sentAt: 2000, heardAt: 2010, at: 902_000 * MS });
  clock.addReading({ sentAt: 3000, heardAt: 3900, at: 903_100 * MS });
  expect(clock.at(2005)).toBe(902_000 * MS);
  expect(clock.at(3005)).toBe(903_000 * MS);
});

test('a reading replaces a reading of 10 min before, even with a longer round trip', () => {
  const clock = new RedisClock();
  clock.addReading({ sentAt: 0, heardAt: 2, at: 50_000 * MS });
  clock.addReading({ sentAt: 600_000, heardAt: 600_100, at: 650_100 * MS });
  expect(clock.at(600_050)).toBe(650_100 * MS);
});

test('a message with a later time moves the clock forward, but an earlier time does not move it back', () => {
  const clock = new RedisClock();
  clock.addReading({ sentAt: 0, heardAt: 0, at: 5000 * MS });
  clock.noteAtLeast(5300 * MS, 100);
  expect(clock.at(100)).toBe(5300 * MS);
  clock.noteAtLeast(5301 * MS, 200);
  expect(clock.at(200)).toBe(5400 * MS);
});

test('a stopped clock does not move, and shows the right time after it is started again', () => {
  const clock = new RedisClock();
  clock.addReading({ sentAt: 0, heardAt: 0, at: 0 });
  clock.stop(1000);
  clock.stop(2000);
  expect(clock.isStopped()).toBe(true);
  expect(clock.at(9000)).toBe(1000 * MS);
  clock.go();
  expect(clock.at(9000)).toBe(9000 * MS);
});

test('each source has its own clock, and only the clock of an unwatched source stops', () => {
  const clock = new RedisClock();
  clock.addReading({ sentAt: 0, heardAt: 0, at: 0 });
  const first = makeSource({ id: 'a', clockOffsetMs: 10 });
  const second = makeSource({ id: 'b', clockOffsetMs: 510 });
  clock.noteSources([first, second], 0);
  expect(clock.at(1000, 'b')).toBe(1500 * MS);
  clock.noteSources([first, { ...second, status: 'reconnecting' }], 2000);
  expect(clock.at(5000, 'b')).toBe(2500 * MS);
  expect(clock.isStopped('b')).toBe(true);
  expect(clock.at(5000, 'a')).toBe(5000 * MS);
  expect(clock.isStopped('a')).toBe(false);
  clock.noteSources([first, second], 6000);
  expect(clock.at(6000, 'b')).toBe(6500 * MS);
});

test('the clock of a source that was lost before the page was opened is at the time of the loss', () => {
  const clock = new RedisClock();
  clock.addReading({ sentAt: 0, heardAt: 0, at: 20_000 * MS });
  const lost = makeSource({ id: 'a', status: 'reconnecting', unwatchedSince: 5000 * MS });
  clock.noteSources([lost], 0);
  expect(clock.isStopped('a')).toBe(true);
  expect(clock.at(9000, 'a')).toBe(5000 * MS);
  clock.noteSources([makeSource({ id: 'a' })], 10_000);
  expect(clock.at(10_000, 'a')).toBe(30_000 * MS);
});

test('the clock of an opened recording is at its end, but runs while the recording is played', () => {
  const recording = {
    name: 'night',
    startedAt: 1,
    endsAt: 777,
    playing: false,
    cutShort: false,
    badLines: { count: 0, first: [] },
  };
  const clock = new RedisClock();
  clock.noteSources([makeSource({ recording })], 0);
  clock.addReading({ sentAt: 0, heardAt: 0, at: 777 });
  expect([clock.at(0), clock.at(90_000), clock.at(90_000, 's')]).toEqual([777, 777, 777]);
  expect(clock.isStopped('s')).toBe(false);
  clock.noteSources([makeSource({ recording: { ...recording, playing: true } })], 0);
  expect(clock.at(5)).toBe(777 + 5 * MS);
});
