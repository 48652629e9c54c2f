import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redisTime } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import { type LockState, lockIdOf } from '../state/lock-state.ts';
import { reduceLock } from '../state/reduce.ts';
import type { Lock } from './lock.ts';
import { patchBetween, patchedLock } from './lock-patch.ts';
import { LockPredictor } from './lock-predictor.ts';
import { type ClientPresence, lockView, UNKNOWN, UNKNOWN_PRESENCE } from './lock-view.ts';

const HOLDERS = ['u1:1', 'u1:2', 'u2:1'];

/** An event of one of three locks, one of them with an empty name. The order is random, even if no real client does that. */
const happening = fc.record({
  lock: fc.constantFrom('a', 'b', ''),
  type: fc.constantFrom(
    'lock.acquired',
    'lock.refused',
    'lock.released',
    'lease.renewed',
    'lease.expired',
    'lock.found',
  ),
  holder: fc.constantFrom(...HOLDERS),
  asleep: fc.boolean(),
  attempt: fc.integer({ min: 1, max: 3 }),
});
/** The events of a message, and what else may happen: a client gets a name or is gone, a lock is forgotten, time passes. */
const round = fc.record({
  events: fc.array(happening, { maxLength: 6 }),
  people: fc.array(fc.record({ client: fc.constantFrom('u1', 'u2'), isGone: fc.boolean() }), { maxLength: 1 }),
  forgotten: fc.option(fc.constantFrom('a', 'b')),
  stepMs: fc.nat({ max: 40_000 }),
});

function eventOf({ lock, type, holder, asleep, attempt }: typeof happening extends fc.Arbitrary<infer T> ? T : never) {
  const lease = { leaseMs: 30_000, holders: [{ holder, holdCount: 2, mode: 'exclusive' }], holdCount: 1 };
  const place = { source: 's', db: 0, kind: 'lock', certainty: 'observed', lock, type, holder };
  return { ...place, ...lease, mode: 'exclusive', asleep, attempt, ttlMs: 5, cause: 'watchdog' };
}

describe('a lock book on the server and one on the page', () => {
  test('the page has every lock as the server has it, after any events', () => {
    fc.assert(
      fc.property(fc.array(round, { maxLength: 12 }), (rounds) => {
        const states = new Map<string, LockState>();
        const people = new Map<string, ClientPresence>();
        const server = new LockPredictor();
        const page = new LockPredictor();
        const shown = new Map<string, Lock>();
        let now = redisTime(1_760_000_000_000_000);
        let seq = 0;
        for (const { events: told, people: met, forgotten, stepMs } of rounds) {
          const events = told.map((each) => {
            now = redisTime(now + 1000);
            return { ...eventOf(each), seq: ++seq, at: now, expiresAt: now + 30_000_000 } as unknown as LockEvent;
          });
          for (const event of events) states.set(lockIdOf(event), reduceLock(states.get(lockIdOf(event)), event));
          for (const { client, isGone } of met) {
            const [presence, goneSince] = isGone ? (['gone', now] as const) : (['connected', null] as const);
            people.set(client, { name: `app-${client}`, presence, goneSince, address: `10.0.0.1:${client}` });
          }
          now = redisTime(now + stepMs * 1000);
          const unknown = UNKNOWN;
          const actual = (id: string) => {
            const state = states.get(id);
            return state && lockView(state, now, (_source, client) => people.get(client) ?? unknown);
          };
          // the server
          server.predict(events, now);
          const patches = [...states.keys()].flatMap((id) => {
            const lock = actual(id);
            const patch = lock && server.patchFor(lock);
            if (!patch) return [];
            server.correct(id, patch, now);
            return [{ id, patch: JSON.parse(JSON.stringify(patch)) }];
          });
          // the page
          for (const id of page.predict(events, now)) shown.set(id, page.lock(id) as Lock); // the book has predicted it
          for (const { id, patch } of patches) shown.set(id, page.correct(id, patch, now));
          for (const [id, lock] of shown) expect(lock).toEqual(actual(id));
          expect(shown.size).toBe(states.size);
          if (forgotten !== null) {
            const id = `s/0/${forgotten}`;
            for (const book of [server, page]) book.forget(id);
            states.delete(id);
            shown.delete(id);
          }
        }
      }),
    );
  });

  test('a lock stays marked as unread until a patch removes the mark', () => {
    const [server, page] = [new LockPredictor(), new LockPredictor()];
    const at = redisTime(1_760_000_000_000_000);
    const each = { lock: 'a', type: 'lock.acquired', holder: 'u1:1', asleep: true, attempt: 1 } as const;
    const event = (seq: number) => ({ ...eventOf(each), seq, at: redisTime(at + seq) }) as unknown as LockEvent;
    let state = reduceLock(undefined, event(1));
    const view = () => lockView(state, at, UNKNOWN_PRESENCE);
    const unread = { since: at, reason: 'fields' } as const;
    for (const book of [server, page]) book.predict([event(1)], at);
    const patch = server.patchFor({ ...view(), unread });
    expect(patch).toEqual({ set: { unread } });
    for (const book of [server, page]) book.correct('s/0/a', patch ?? { set: {} }, at);
    state = reduceLock(state, event(2));
    for (const book of [server, page]) book.predict([event(2)], at);
    expect(page.lock('s/0/a')?.unread).toEqual(unread);
    expect(server.patchFor(view())).toEqual({ set: {}, unset: ['unread'] });
  });

  test('changes that follow from the reducer need no patch', () => {
    const book = new LockPredictor();
    const at = redisTime(1_760_000_000_000_000);
    const story = ['lock.acquired', 'lock.refused', 'lease.renewed', 'lock.released'] as const;
    let state: LockState | undefined;
    for (const [index, type] of story.entries()) {
      const each = {
        lock: 'a' as const,
        type,
        holder: type === 'lock.refused' ? 'u2:1' : 'u1:1',
        asleep: true,
        attempt: 1,
      };
      const event = { ...eventOf(each), seq: index + 1, at: redisTime(at + index) } as unknown as LockEvent;
      state = reduceLock(state, event);
      book.predict([event], at);
      expect(book.patchFor(lockView(state, at, UNKNOWN_PRESENCE))).toBeUndefined();
    }
  });
});

const anyLock = fc.record(
  {
    id: fc.constant('s/0/a'),
    held: fc.boolean(),
    holders: fc.array(fc.record({ id: fc.constantFrom(...HOLDERS), renewals: fc.nat({ max: 2 }) }), { maxLength: 2 }),
    lease: fc.record({ ms: fc.option(fc.nat()), expiresAt: fc.option(fc.nat()) }),
    clientVersion: fc.constantFrom('3.16.8', undefined),
    fencingToken: fc.string(),
  },
  { requiredKeys: ['id', 'held', 'holders', 'lease'] },
);

test('a patch turns one view into the other, and equal views need no patch', () => {
  fc.assert(
    fc.property(anyLock, anyLock, (one, other) => {
      const from = JSON.parse(JSON.stringify(one)) as Lock; // any fields will do here
      const to = JSON.parse(JSON.stringify(other)) as Lock;
      const patch = patchBetween(from, to);
      if (patch) expect(patchedLock(from, JSON.parse(JSON.stringify(patch)))).toEqual(to);
      else expect(from).toEqual(to);
      expect(patchBetween(to, to)).toBeUndefined();
      expect(patchBetween(from, from)).toBeUndefined();
    }),
  );
});
