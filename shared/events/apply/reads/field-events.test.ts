import { describe, expect, test } from 'vitest';
import { recordAndReplay } from '../../../../testing/stories/record-and-replay.ts';
import { type RedisTime, redisTime } from '../../../base/time.ts';
import type { KeyRead, PushSignal } from '../../../signals/signal.ts';
import type { Step } from '../../../signals/step.ts';
import { holdsFromEvents } from '../../../spans/holds-from-events.ts';
import type { LockState } from '../../../state/lock-state.ts';
import { reduceLock } from '../../../state/reduce.ts';
import type { LockEvent } from '../../event.ts';
import { Interpreter } from '../../interpreter.ts';

const A = '9a92fa0b-27b4-4395-a14c-85668696be8b:1';
const B = '11f3c1b2-27b4-4395-a14c-85668696be8b:7';
const C = '22f3c1b2-27b4-4395-a14c-85668696be8b:8';
const LEASE = 30_000;

function at(ms: number): RedisTime {
  return redisTime(1_795_000_000_000_000 + ms * 1000);
}

type Heard = readonly [event: string, ...fields: string[]];

/** A story at level `events`: each command is a key event with its fields, and takes a millisecond. */
class Story {
  readonly interpreter = new Interpreter({ source: 'test', hasCommands: false });
  readonly events: LockEvent[] = [];
  readonly doubted: string[] = [];
  readonly steps: Step[] = [];
  #ms = 0;

  constructor() {
    this.interpreter.onDoubt = ({ name }) => this.doubted.push(name);
  }

  /** What a read finds in the hash `k` now. */
  read(fields: KeyRead['fields'], pttl = LEASE): this {
    const isThere = Object.keys(fields).length > 0;
    const read: KeyRead = {
      ...{ db: 0, name: 'k', type: isThere ? 'hash' : 'none', fields, pttl: isThere ? pttl : -2 },
      ...{ hasChanged: false, subscribers: null },
    };
    return this.take({ kind: 'bookmark', at: at(this.#ms++), reads: [read] });
  }

  hear(...heard: readonly Heard[]): this {
    for (const [event, ...fields] of heard) {
      this.push(`__keyevent@0__:${event}`, 'k');
      const list = fields.map((field) => `${field.length}:${field}`).join(',');
      if (fields.length > 0) this.push(`__subkeyevent@0__:${event}`, `1:k|${list}`);
      this.#ms++;
    }
    return this;
  }

  push(channel: string, message: string): this {
    const push: PushSignal = { kind: 'push', at: at(this.#ms), channel, message };
    return this.take(push);
  }

  take(step: Step): this {
    this.steps.push(step);
    this.events.push(...this.interpreter.interpret(step));
    return this;
  }

  get texts(): string[] {
    return this.events.map((event) => {
      const { type, certainty, holder = '', mode = '', holdCount = '?' } = event as LockEvent & Record<string, string>;
      const name = { [A]: 'A', [B]: 'B', [C]: 'C' }[holder] ?? holder;
      return `${type} ${name} ${mode} ×${holdCount} ${certainty}`.replace(/ +/g, ' ');
    });
  }

  get state(): LockState | undefined {
    return this.events.reduce((lock: LockState | undefined, event) => reduceLock(lock, event), undefined);
  }
}

/** The lock `k` was read, and is free. */
function free(): Story {
  const story = new Story();
  story.interpreter.keys.take(0, 'k', 'lock', 0);
  return story.read({});
}

const ACQUIRED: readonly Heard[] = [['hincrby', A], ['expire']];
const RELEASED: readonly Heard[] = [['hincrby', A], ['del']];

test('[K9] a thread that acquires a free lock is observed at once, but not its hold count and its lease', () => {
  const story = free().hear(...ACQUIRED);
  expect(story.texts).toEqual(['lock.acquired A exclusive ×? observed']);
  expect(story.events[0]).not.toHaveProperty('expiresAt');
  expect(story.state).toMatchObject({
    ...{ holders: [{ id: A, holdCount: null, since: at(2) }], expiresAt: null, neverEnds: false, isKindKnown: false },
  });
  expect(story.doubted).toEqual([]);
});

test('[K9] the next read adds the count and the end of the lease that was set since', () => {
  const story = free()
    .hear(...ACQUIRED)
    .read({ [A]: '1' }, LEASE - 1);
  expect(story.texts).toEqual(['lock.acquired A exclusive ×? observed', 'lock.learned A ×1 observed']);
  expect(story.events[1]).toMatchObject({ leaseMs: LEASE, expiresAt: at(2 + LEASE) });
  expect(holdsFromEvents(story.events)).toMatchObject([
    { isOpenStart: false, deepest: 1, lease: { setAt: at(2), ms: LEASE } },
  ]);
  expect(story.state).toMatchObject({
    holders: [{ id: A, holdCount: 1, since: at(2) }],
    ...{ leaseMs: LEASE, expiresAt: at(2 + LEASE), isKindKnown: false },
  });
  expect(story.read({ [A]: '1' }, LEASE - 2).events).toHaveLength(2);
});

test('[K9] a lease that was renewed before the first read counts from its renewal', () => {
  const story = free()
    .hear(...ACQUIRED, ['expire'])
    .read({ [A]: '1' }, LEASE - 1);
  expect(story.events[1]).toMatchObject({ leaseMs: LEASE, expiresAt: at(3 + LEASE) });
});

test('[K9] a lock whose lease PERSIST removed is reported to have no end', () => {
  const story = free()
    .hear(...ACQUIRED, ['persist'])
    .read({ [A]: '1' }, -1);
  expect(story.events[1]).toMatchObject({ type: 'lock.learned', expiresAt: null });
  expect(story.events[1]).not.toHaveProperty('leaseMs');
  expect(story.state).toMatchObject({ neverEnds: true });
});

test('[K9] a hold that begins and ends between two reads is reported, and its beginning is observed', () => {
  const story = free().hear(...ACQUIRED, ...RELEASED, ['hincrby', B], ['expire'], ['hincrby', B], ['del']);
  expect(story.read({}).texts).toEqual([
    'lock.acquired A exclusive ×? observed',
    'lock.released A exclusive ×0 inferred',
    'lock.acquired B exclusive ×? observed',
    'lock.released B exclusive ×0 inferred',
  ]);
});

test('[K9] whether the holder re-entered or released partially is not known until a read', () => {
  const story = free()
    .hear(...ACQUIRED)
    .read({ [A]: '1' })
    .hear(...ACQUIRED);
  expect(story.texts).toHaveLength(2);
  expect(story.doubted).toEqual(['k']);
  expect(story.read({ [A]: '2' }, LEASE + 3).texts.at(-1)).toBe('lock.reentered A exclusive ×2 inferred');
});

test('[K9] after an expiry, the next holder of the lock is observed at once', () => {
  const story = free()
    .hear(...ACQUIRED, ['expired'])
    .hear(['hincrby', B], ['expire']);
  expect(story.texts).toEqual([
    'lock.acquired A exclusive ×? observed',
    'lease.expired A exclusive ×? observed',
    'lock.acquired B exclusive ×? observed',
  ]);
});

describe('[K9] an acquisition that is not certain from its fields', () => {
  const unclear: readonly (readonly [string, (story: Story) => Story])[] = [
    ['the lock was never read', () => new Story().hear(...ACQUIRED)],
    ['another thread holds the lock', (story) => story.read({ [B]: '1' }).hear(...ACQUIRED)],
    ['the second command has no fields', (story) => story.hear(['hincrby', A], ['hset'], ['expire'])],
    ['no command has fields', (story) => story.hear(['hincrby'], ['expire'])],
    ['a field of an application is written as well', (story) => story.hear(['hincrby', A], ['hset', 'x'], ['expire'])],
    ['a change without its fields came before', (story) => story.hear(['hset'], ['hincrby', A], ['expire'])],
    ['other fields were written before', (story) => story.hear(['hset', 'name'], ['persist'], ...ACQUIRED)],
    ['a string was set before', (story) => story.hear(['set'], ...ACQUIRED)],
    ['another key got the name before', (story) => story.hear(['rename_to'], ...ACQUIRED)],
    ['the field is not a holder', (story) => story.hear(['hincrby', 'count'], ['expire'])],
    ['one command writes two holders', (story) => story.hear(['hset', A, B], ['expire'])],
    ['the mode of a read-write lock is written', (story) => story.hear(['hset', 'mode'], ['hset', A], ['expire'])],
    [
      'the fields belong to another command',
      (story) =>
        story.push('__keyevent@0__:hincrby', 'k').push('__subkeyevent@0__:hset', `1:k|38:${A}`).hear(['expire']),
    ],
    [
      'the fields belong to another key',
      (story) =>
        story.push('__keyevent@0__:hincrby', 'k').push('__subkeyevent@0__:hincrby', `1:l|38:${A}`).hear(['expire']),
    ],
    [
      'the fields belong to another database',
      (story) => {
        story.interpreter.keys.take(1, 'k', 'lock', 0);
        return story
          .push('__keyevent@0__:hincrby', 'k')
          .push('__subkeyevent@1__:hincrby', `1:k|38:${A}`)
          .hear(['expire']);
      },
    ],
    [
      'the fields are malformed',
      (story) =>
        story.push('__keyevent@0__:hincrby', 'k').push('__subkeyevent@0__:hincrby', `1:k|39:${A}`).hear(['expire']),
    ],
    [
      'the fields arrive before their key event',
      (story) => story.push('__subkeyevent@0__:hincrby', `1:k|38:${A}`).hear(['hincrby'], ['expire']),
    ],
    [
      'a key event of another key arrives in between',
      (story) => story.hear(['hincrby', A]).push('__keyevent@0__:hset', 'l').hear(['expire']),
    ],
    [
      'another connection begins in between',
      (story) =>
        story
          .hear(['hincrby', A])
          .take({ kind: 'watch', at: at(9), level: 'events', isPushFirst: true })
          .hear(['expire']),
    ],
  ];

  test.each(unclear)('[K9] an acquisition is not observed before a read: %s', (_, play) => {
    const { texts } = play(free());
    expect(texts.filter((text) => /acquired.*observed/.test(text))).toEqual([]);
  });

  test('[K9] at level `monitor`, nothing is concluded from fields, because commands are seen', () => {
    const interpreter = new Interpreter({ source: 'test' });
    const pushes = [
      ['__keyevent@0__:hincrby', 'k'],
      ['__subkeyevent@0__:hincrby', `1:k|38:${A}`],
      ['__keyevent@0__:expire', 'k'],
    ] as const;
    for (const [channel, message] of pushes)
      expect(interpreter.interpret({ kind: 'push', at: at(1), channel, message })).toEqual([]);
  });
});

test('[K9] a lock with a change that was not understood is read, and then its holders are observed again', () => {
  const story = free().hear(['hincrby'], ['expire']);
  expect(story.doubted).toEqual(['k']);
  story.read({ [A]: '1' }).hear(...RELEASED, ['hincrby', B], ['expire']);
  expect(story.texts).toEqual([
    'lock.acquired A exclusive ×1 inferred',
    'lock.released A exclusive ×0 inferred',
    'lock.acquired B exclusive ×? observed',
  ]);
});

test('[K9] if a thread unlocks that is not the known holder, only the end of the hold is known', () => {
  const story = free()
    .read({ [B]: '1' })
    .hear(...RELEASED)
    .read({});
  expect(story.events.at(-1)).toMatchObject({ type: 'lock.released', holder: B, how: 'unknown' });
});

describe('[K9] a read-write lock', () => {
  const shared = (fields: KeyRead['fields']) =>
    free()
      .read({ mode: 'read', [C]: '1' })
      .hear(['hincrby', C], ['hdel', C], ['del'])
      .read(fields);
  const TP = `{k}:${A}:rwlock_timeout:1`;

  test('[K9] a read-write lock is acquired for reading, although a timeout key of the reader is written in between', () => {
    const story = shared({}).hear(['hset', 'mode'], ['hset', A]);
    story.push('__keyevent@0__:set', TP).push('__keyevent@0__:expire', TP).hear(['expire']);
    expect(story.texts.at(-1)).toBe('lock.acquired A read ×? observed');
    expect(story.read({ mode: 'read', [A]: '1' }).texts.at(-1)).toBe('lock.learned A read ×1 observed');
    expect(story.state?.holders).toMatchObject([{ id: A, mode: 'read', holdCount: 1 }]);
  });

  test('[K9] fields show that a read-write lock is acquired for writing', () => {
    const story = shared({}).hear(['hset', 'mode'], ['hset', `${A}:write`], ['expire']);
    expect(story.texts.at(-1)).toBe('lock.acquired A write ×? observed');
    story.read({ mode: 'write', [`${A}:write`]: '1' });
    expect(story.state?.holders).toMatchObject([{ id: A, mode: 'write', holdCount: 1 }]);
  });

  test('[K9] fields show that a read-write lock gets a second reader and loses the first reader', () => {
    const story = shared({ mode: 'read', [B]: '2' }).hear(['hincrby', A], ['expire']);
    expect(story.texts.at(-1)).toBe('lock.acquired A read ×? observed');
    story.hear(['hincrby', B], ['hdel', B], ['expire']);
    expect(story.texts.at(-1)).toBe('lock.released B read ×0 observed');
    expect(story.state?.holders).toMatchObject([{ id: A }]);
    expect(story.read({ mode: 'read', [A]: '1' }).texts.at(-1)).toBe('lock.learned A read ×1 observed');
  });

  test.each([
    ['a field that was not counted down before', [['hdel', B]]],
    [
      'another field than the one that was counted down',
      [
        ['hincrby', A],
        ['hdel', B],
      ],
    ],
    [
      'several fields',
      [
        ['hincrby', B],
        ['hdel', B, A],
      ],
    ],
    [
      'an unknown field',
      [
        ['hincrby', 'x'],
        ['hdel', 'x'],
      ],
    ],
    ['a field, without its name', [['hincrby', B], ['hdel']]],
  ] satisfies [string, Heard[]][])('[K9] if a read-write lock loses %s, a read shows what happened', (_, heard) => {
    const story = shared({ mode: 'read', [A]: '1', [B]: '1' });
    const before = story.events.length;
    story.hear(...heard, ['expire']);
    expect(story.events).toHaveLength(before);
    expect(story.read({ mode: 'read', [A]: '1' }).texts.at(-1)).toBe('lock.released B read ×0 inferred');
  });

  test('[K9] if the field of a reader is written while the same thread holds the lock for writing, no event is reported', () => {
    const story = shared({ mode: 'write', [`${B}:write`]: '1' });
    const before = story.events.length;
    expect(story.hear(['hincrby', B], ['expire']).events).toHaveLength(before);
  });
});

test('[K9] a recording gives the same events, and does not contain a field of the application', () => {
  const story = new Story()
    .read({ [A]: '1' })
    .hear(...RELEASED, ...ACQUIRED)
    .read({ [A]: '1' })
    .hear(...RELEASED, ['hset', 'secret'], ['del'], ['hincrby', B], ['expire'])
    .read({ [B]: '1' });
  const { events, replayed, lines } = recordAndReplay(story.steps, false);
  expect(events.filter(({ type, certainty }) => type === 'lock.acquired' && certainty === 'observed')).toHaveLength(2);
  expect(replayed).toEqual(events);
  expect(lines.join()).not.toContain('secret');
});
