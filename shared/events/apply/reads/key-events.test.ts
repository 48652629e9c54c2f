import { describe, expect, test } from 'vitest';
import { type RedisTime, redisTime } from '../../../base/time.ts';
import type { KeyRead, PushSignal } from '../../../signals/signal.ts';
import { Interpreter } from '../../interpreter.ts';

const HOLDER = '9a92fa0b-27b4-4395-a14c-85668696be8b:1';
const NOTHING: KeyRead = {
  db: 0,
  name: 'k',
  type: 'none',
  fields: {},
  pttl: -2,
  hasChanged: true,
  subscribers: null,
};
const HELD: KeyRead = { ...NOTHING, type: 'hash', fields: { [HOLDER]: '1' }, pttl: 600_000 };

function at(seconds: number): RedisTime {
  return redisTime(1_795_000_000_000_000 + seconds * 1_000_000);
}

const LATCH = 'redisson_unlock_latch:{k}:0123456789abcdef0123456789abcdef';

function push(channel: string, message: string): PushSignal {
  return { kind: 'push', at: at(2), channel, message };
}

/** The event types at level `events` of a held lock, then these key events, then this read. */
function reportedAfterDel(
  read: KeyRead,
  pushes: readonly PushSignal[] = [push('__keyevent@0__:del', 'k')],
  held = HELD,
): string[] {
  const interpreter = new Interpreter({ source: 'test', hasCommands: false });
  const steps = [
    { kind: 'bookmark', at: at(1), reads: [held] } as const,
    ...pushes,
    { kind: 'bookmark', at: at(3), reads: [read] } as const,
  ];
  const types = steps.flatMap((step) => interpreter.interpret(step)).map(({ type }) => type);
  expect(interpreter.undecided).toBeUndefined();
  return types;
}

test('a lock whose key disappears without a message was deleted, not released', () => {
  expect(reportedAfterDel(NOTHING)).toEqual(['lock.acquired', 'lock.deleted']);
});

test('[X5] a key that disappears here but exists on another server has moved, and was not deleted', () => {
  expect(reportedAfterDel({ ...NOTHING, movedTo: '10.0.0.2:7002' })).toEqual(['lock.acquired', 'lock.moved']);
});

test.each([
  ['held', HELD, ['lock.acquired', 'lock.moved', 'lock.found']],
  ['free', NOTHING, ['lock.found']],
])('[X5] a lock that was %s when its slot moved away is found when it returns, not acquired', (_, before, expected) => {
  const interpreter = new Interpreter({ source: 'test', hasCommands: false });
  interpreter.keys.take(0, 'k', 'lock', 0);
  const reads = [before, { ...NOTHING, movedTo: '10.0.0.2:7002' }, { ...HELD, hasChanged: false }];
  const steps = reads.map((read, n) => ({ kind: 'bookmark', at: at(n), reads: [read] }) as const);
  expect(steps.flatMap((step) => interpreter.interpret(step)).map(({ type }) => type)).toEqual(expected);
});

describe('[K2] a key that is gone', () => {
  const count = push('__keyevent@0__:hincrby', 'k');
  const del = push('__keyevent@0__:del', 'k');
  const latch = [push('__keyevent@0__:set', LATCH), push('__keyevent@0__:expire', LATCH)];
  const message = push('redisson_lock__channel:{k}', '0');

  test.each([
    ['a spin unlock', [count, del], ['lock.released']],
    ['a fair unlock without waiters', [count, del, ...latch], ['lock.released']],
    ['a fair unlock', [count, del, ...latch, message], ['lock.released', 'wakeup.published']],
    ['a plain unlock', [count, del, message, ...latch], ['lock.released', 'wakeup.published']],
    [
      'a SET over the lock',
      [push('__keyevent@0__:type_changed', 'k'), push('__keyevent@0__:set', 'k')],
      ['lock.deleted'],
    ],
    ['a force-unlock', [del, message], ['lock.force-released', 'wakeup.published']],
    [
      'the unlock of the last reader',
      [count, push('__keyevent@0__:hdel', 'k'), del, message],
      ['lock.released', 'wakeup.published'],
    ],
    ['a deletion after a renewal', [count, push('__keyevent@0__:expire', 'k'), del], ['lock.deleted']],
    ['a deletion before a late unlock', [del, ...latch], ['lock.deleted']],
  ])('[K2] key events show that the key of a held lock is gone by %s', (_, pushes, expected) => {
    expect(reportedAfterDel(NOTHING, pushes)).toEqual(['lock.acquired', ...expected]);
  });
});

test.each(['rename_from', 'move_from'])(
  'a key that disappears by the key event %s was deleted, even if its count changed just before',
  (event) => {
    const pushes = [push('__keyevent@0__:hincrby', 'k'), push(`__keyevent@0__:${event}`, 'k')];
    expect(reportedAfterDel(NOTHING, pushes)).toEqual(['lock.acquired', 'lock.deleted']);
    const withMessage = [...pushes, push('redisson_lock__channel:{k}', '0')];
    expect(reportedAfterDel(NOTHING, withMessage)).toEqual(['lock.acquired', 'lock.deleted', 'wakeup.published']);
  },
);

test.each(['rename_to', 'move_to', 'copy_to', 'restore'])(
  'a lock whose key appears by the key event %s is found, not acquired',
  (event) => {
    const pushes = ['rename_from', event].map((each) => push(`__keyevent@0__:${each}`, 'k'));
    expect(reportedAfterDel({ ...HELD, hasChanged: false }, pushes)).toEqual([
      'lock.acquired',
      'lock.deleted',
      'lock.found',
    ]);
  },
);

describe('a held lock that is renamed', () => {
  const renamed = (from: string, to: string) => [
    push('__keyevent@0__:rename_from', from),
    push('__keyevent@0__:rename_to', to),
  ];
  const losers = (back: string) => {
    const interpreter = new Interpreter({ source: 'test', hasCommands: false });
    const found = { ...HELD, hasChanged: false };
    const steps = [
      { kind: 'bookmark', at: at(1), reads: [HELD] } as const,
      ...renamed('k', 'spare'),
      { kind: 'bookmark', at: at(2), reads: [NOTHING, { ...found, name: 'spare' }] } as const,
      ...renamed('spare', back),
      {
        kind: 'bookmark',
        at: at(3),
        reads: [
          { ...NOTHING, name: 'spare' },
          { ...found, name: back },
        ],
      } as const,
    ];
    return steps
      .flatMap((step) => interpreter.interpret(step))
      .flatMap((event) => (event.type === 'lock.deleted' ? [[event.lock, event.holder]] : []));
  };

  test('a held lock that is renamed and gets its name back is lost once, under its first name', () => {
    expect(losers('k')).toEqual([
      ['k', HOLDER],
      ['spare', undefined],
    ]);
  });

  test('a held lock that is renamed twice is lost under both earlier names', () => {
    expect(losers('other')).toEqual([
      ['k', HOLDER],
      ['spare', HOLDER],
    ]);
  });
});

test.each([
  ['del', 'lock.released'],
  ['rename_from', 'lock.deleted'],
  ['move_from', 'lock.deleted'],
])('if a key with a token disappears by the key event %s, %s is reported', (event, expected) => {
  const companions = { token: ['9a92fa0b-27b4-4395-a14c-85668696be8b'], library: ['shedlock', 'sure'] };
  const held: KeyRead = { ...HELD, type: 'string', fields: {}, companions };
  expect(reportedAfterDel(NOTHING, [push(`__keyevent@0__:${event}`, 'k')], held)).toEqual(['lock.acquired', expected]);
});
