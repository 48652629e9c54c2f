import { expect, test } from 'vitest';
import { EN } from '../../words/en.ts';
import { ZH_CN } from '../../words/zh-CN.ts';
import { beatsFromEvents } from '../beats/beats-from-events.ts';
import { runOfTrace } from '../testing/run-of-trace.ts';
import { captionText } from './caption.ts';

/** All captions of a trace, with `n` for each measured time, because measured times differ between recordings. */
function textOf(name: string, lock: string): string[] {
  const captions = beatsFromEvents(runOfTrace(name, lock)).beats.flatMap(({ caption }) => caption ?? []);
  for (const caption of captions) {
    expect(captionText(caption, EN).split(/\s+/).length, captionText(caption, EN)).toBeLessThanOrEqual(12);
    expect(captionText(caption, ZH_CN)).not.toMatch(/^$|undefined|NaN|\[object/);
  }
  return captions.map((caption) => captionText(caption, EN).replace(/[\d.]+ (ms|µs|s|seconds)\b/g, 'n $1'));
}

test('captions of a fair lock show places in the queue, and which waiter a release wakes', () => {
  expect(textOf('fair', 'orders:42')).toEqual([
    'A62 acquires the lock. Redis grants a 3-second lease.',
    'B62 is refused and is first in the queue.',
    'B62 subscribes to a channel of its own, then sleeps.',
    'A63 is refused and is second in the queue.',
    'A63 subscribes to a channel of its own, then sleeps.',
    'B63 is refused and is third in the queue.',
    'B63 subscribes to a channel of its own, then sleeps.',
    'A62 enters again: hold count 2.',
    'A62 releases once. Hold count 1: it still holds the lock.',
    'A62’s watchdog renews the lease, n seconds after it was set.',
    'B63 gives up after n seconds and leaves.',
    'A62 releases. The message goes to B62 alone: it is first.',
    'B62 wakes, asks again, gets it: n ms later.',
    'B62 releases. The message goes to A63 alone: it is first.',
    'A63 wakes, asks again, gets it: n ms later.',
    'Released. No thread is waiting, so none wakes.',
    'A63’s unlock is refused: no client holds the lock.',
  ]);
});

test('captions of a read-write lock show shared readers, single writers, and releases without a message', () => {
  expect(textOf('read-write', 'catalog')).toEqual([
    'A62 acquires the lock to read. Others may read too.',
    'B62 reads as well: 2 readers share the lock.',
    'A62 enters again: hold count 2.',
    'B63 wants to write and is refused: 2 readers.',
    'B63 subscribes, checks once more, then sleeps. No polling.',
    'Every n seconds A62’s watchdog renews the lease.',
    'A62 releases once. Hold count 1: it still holds the lock.',
    'A62 stops reading. 1 reader remains, so no waiter is woken.',
    'B62, the last reader, deletes the key and publishes.',
    'B63 wakes, asks again, gets it: n ms later.',
    'A63 wants to read and is refused: B63 writes.',
    'A63 subscribes, checks once more, then sleeps. No polling.',
    'B63 enters again: hold count 2.',
    'B63 releases once. Hold count 1: it still holds the lock.',
    'B63 reads too: a writer may read its own lock.',
    'B63 downgrades to reading. No wake-up is sent.',
    'B62 wants to write and is refused: 1 reader.',
    'B63, the last reader, deletes the key and publishes.',
    'A63 wakes, asks again, gets it: n ms later.',
    'Released. No thread is waiting, so none wakes.',
    'A63’s unlock is refused: no client holds the lock.',
  ]);
});

test('captions of a semaphore show how many permits are acquired or released, and how many are free after that', () => {
  expect(textOf('semaphore', 'gate')).toEqual([
    'A sets the number of permits: 3.',
    'A takes 2 permits: 1 still free.',
    'B wants 2 permits. Free: 1.',
    'B wants 2 permits. Free: 1.',
    'B subscribes, checks once more, then sleeps.',
    'A releases 2 and publishes: 3 free.',
    'B wakes, asks again, takes 2: n ms later.',
    'B releases 2: all 3 are free again.',
    'A takes 3 permits: 0 still free.',
  ]);
});

test('captions of permits with a lease show the expiry, the waiter that gets the permit, and a late release', () => {
  expect(textOf('expirable-semaphore', 'slots')).toEqual([
    'A sets the number of permits: 2.',
    'A takes a permit for n s: 1 still free.',
    'A takes a permit without an end: 0 free.',
    'B wants 1 permit. Free: 0.',
    'B wants 1 permit. Free: 0.',
    'B subscribes, checks once more, then sleeps.',
    'A’s permit expired after n s.',
    'B’s own timer woke it: its script takes that permit.',
    'A’s release is refused: its permit ended n s ago.',
    'A releases 1 and publishes: 1 free.',
    'B releases 1: all 2 are free again.',
  ]);
});

test('captions of a latch show its count, and the waiters that continue', () => {
  expect(textOf('latch', 'boot')).toEqual([
    'A sets the latch to 2.',
    'A finds the latch closed, subscribes and sleeps.',
    'B finds the latch closed, subscribes and sleeps.',
    'A counts down: 1 to go.',
    'B counts down: 0 to go.',
    'Zero: the key is deleted. One message wakes 2 waiters.',
    'B wakes and continues, n ms later.',
    'A wakes and continues, n ms later.',
    'A counts down an open latch: nothing changes.',
  ]);
});
