import { describe, expect, test } from 'vitest';
import type { LockEvent } from '../../shared/events/event.ts';
import { goldens, goldensOfSeveral } from '../traces/read-trace.ts';
import { signalsFromTrace, stepsFromSignals } from '../traces/trace-file.ts';
import { playEffects } from './effects-of-trace.ts';

const REPORTED = new Set<LockEvent['type']>([
  ...(['lock.acquired', 'lock.reentered', 'lock.partially-released', 'lock.released', 'lease.expired'] as const),
  ...(['lock.force-released', 'lock.deleted', 'wakeup.published'] as const),
]);
/** Traces that are left out: by name, with the reason. */
const LEFT_OUT: readonly (readonly [RegExp, string])[] = [
  [
    /^other\/|redis-py|redlock|no-ttl-lock/,
    'locks with tokens: how one was released, and a re-entry, are not in the effects',
  ],
  [/group-lock/, "its values end by the clients' clocks: an expiry and a release look the same"],
  [/events-off/, 'its server sends no key events for a while, from which the effects of an expiry are made here'],
];

/** The events of each lock in their order, as text. */
function stories(events: readonly LockEvent[]): Record<string, string[]> {
  const stories: Record<string, string[]> = {};
  for (const event of events) {
    if (!REPORTED.has(event.type)) continue;
    const { holder = '', holdCount = '', mode = '' } = event as { holder?: string; holdCount?: number; mode?: string };
    const text = [event.type, holder, holdCount, mode].join(' ');
    stories[event.lock] = [...(stories[event.lock] ?? []), text];
  }
  return stories;
}

const played = [...goldens(), ...goldensOfSeveral()].filter(
  ({ folder, name }) => !LEFT_OUT.some(([pattern]) => pattern.test(`${folder}/${name}`)),
);

describe.each(played)('$folder', ({ name, isPushFirst, trace }) => {
  test(`${name}: the effects alone show the same holds as the commands`, () => {
    const { commands, effects } = playEffects(stepsFromSignals(signalsFromTrace(trace()), isPushFirst));
    expect(stories(effects)).toEqual(stories(commands));
  });
});
