import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { LineSignal } from '../../../shared/signals/signal.ts';
import type { Step } from '../../../shared/signals/step.ts';
import { Pipeline } from '../source/pipeline.ts';
import { EventStore } from '../store/event-store.ts';
import { reportEvicted } from './evicted-locks.ts';

/* More locks are held than there is room for, so that the observer evicts held ones. */

const HOLDER = '0a000000-0000-4000-8000-000000000000:1';
const COUNT = 1000;
const at = (ms: number) => redisTime(1_795_000_000_000_000 + ms * 1000);

/** An observer with room for a few keys, its event store, and `COUNT` locks that were found held. */
async function hold(hasCommands: boolean) {
  const eventStore = new EventStore(() => at(COUNT));
  const events: LockEvent[] = [];
  const pipeline = new Pipeline('redis', (made) => {
    events.push(...made);
    eventStore.add(made);
  });
  pipeline.setRooms({ keysBytes: 45 * 1024, steps: 100 });
  pipeline.watch({ kind: 'watch', at: at(0), level: hasCommands ? 'monitor' : 'events', isPushFirst: true });
  reportEvicted(pipeline.interpreter.keys, (locks) => eventStore.forgetLocks('redis', locks));
  for (let n = 0; n < COUNT; n++) {
    const read = { db: 0, name: `lock:${n}`, type: 'hash', fields: { [HOLDER]: '1' }, pttl: 60_000 };
    pipeline.take([{ kind: 'bookmark', at: at(n), reads: [{ ...read, hasChanged: false, subscribers: null }] }]);
  }
  await setImmediate();
  const heldLocks = () => eventStore.answers.locks().flatMap(({ held, name }) => (held ? [name] : []));
  return { eventStore, events, pipeline, heldLocks };
}

function release(lock: string): Step {
  const line = (client: string | null, ...words: string[]): LineSignal => {
    return { kind: 'line', at: at(COUNT), db: 0, client, words };
  };
  const channel = `redisson_lock__channel:{${lock}}`;
  const inner = [
    line(null, 'hexists', lock, HOLDER),
    line(null, 'hincrby', lock, HOLDER, '-1'),
    line(null, 'del', lock),
    line(null, 'publish', channel, '0'),
  ];
  const head = line('1.2.3.4:5', 'EVALSHA', 'a'.repeat(40), '2', lock, channel, '0', '30000', HOLDER);
  return { kind: 'command', head, inner, pushes: [] };
}

describe('an evicted lock', () => {
  test('is no longer shown as held, and the list is reported as capped', async () => {
    const { eventStore, pipeline, heldLocks } = await hold(true);
    const known = [...pipeline.interpreter.keys.held()].map(({ name }) => name);
    expect(known.length).toBeLessThan(COUNT / 4);
    expect(heldLocks().sort()).toEqual(known.sort());
    expect(eventStore.answers.lockById('redis/0/lock:0')).toBeUndefined();
    expect(eventStore.memory().locksCapped).toBe(true);
  });

  test('at level monitor, its release is reported once, by its holder, and leaves it free', async () => {
    const { eventStore, events, pipeline } = await hold(true);
    const before = events.length;
    pipeline.take([release('lock:0')]);
    pipeline.settle();
    expect(events.slice(before).map(({ type }) => type)).toEqual(['lock.released', 'wakeup.published']);
    expect(events[before]).toMatchObject({ holder: HOLDER, lock: 'lock:0', certainty: 'observed' });
    expect(eventStore.answers.lockById('redis/0/lock:0')).toMatchObject({ held: false });
  });

  test.each([
    ['del', 'events'],
    ['expired', 'events'],
    ['expired', 'monitor'],
  ])('has no event after its key event "%s" at level %s', async (event, level) => {
    const { events, pipeline, heldLocks } = await hold(level === 'monitor');
    const before = events.length;
    const held = heldLocks();
    pipeline.take([{ kind: 'push', at: at(COUNT), channel: `__keyevent@0__:${event}`, message: 'lock:0' }]);
    pipeline.take([{ kind: 'push', at: at(COUNT + 1), channel: '__keyevent@0__:set', message: 'other' }]);
    expect(events.slice(before)).toEqual([]);
    expect(heldLocks()).toEqual(held);
  });

  test('is known again once its key is read, and then its release makes it free without drift', async () => {
    const { eventStore, events, pipeline } = await hold(true);
    const read = { db: 0, name: 'lock:0', type: 'hash', fields: { [HOLDER]: '1' }, pttl: 60_000 };
    pipeline.take([{ kind: 'bookmark', at: at(COUNT), reads: [{ ...read, hasChanged: false, subscribers: null }] }]);
    await setImmediate();
    expect(eventStore.answers.lockById('redis/0/lock:0')?.held).toBe(true);
    pipeline.take([release('lock:0')]);
    expect(eventStore.answers.lockById('redis/0/lock:0')?.held).toBe(false);
    expect(events.some(({ type }) => type === 'drift.healed')).toBe(false);
  });
});
