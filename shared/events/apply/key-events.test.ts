import { expect, test } from 'vitest';
import { type RedisTime, redisTime } from '../../base/time.ts';
import type { KeyRead, PushSignal } from '../../signals/signal.ts';
import { Interpreter } from '../interpreter.ts';

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

/** What is told where only key events and reads are seen: a lock that is held, a `del`, and then this read. */
function toldAfterDel(read: KeyRead): string[] {
  const interpreter = new Interpreter({ source: 'test', hasCommands: false });
  const del: PushSignal = { kind: 'push', at: at(2), channel: '__keyevent@0__:del', message: 'k' };
  const steps = [
    { kind: 'bookmark', at: at(1), reads: [HELD] } as const,
    del,
    { kind: 'bookmark', at: at(3), reads: [read] } as const,
  ];
  const types = steps.flatMap((step) => interpreter.interpret(step)).map(({ type }) => type);
  expect(interpreter.undecided).toBeUndefined();
  return types;
}

test('a key that is gone without a message was deleted', () => {
  expect(toldAfterDel(NOTHING)).toEqual(['lock.acquired', 'lock.deleted']);
});

test('[X5] a key that is gone and kept by another server has moved, and nobody deleted it', () => {
  expect(toldAfterDel({ ...NOTHING, movedTo: '10.0.0.2:7002' })).toEqual(['lock.acquired', 'lock.moved']);
});
