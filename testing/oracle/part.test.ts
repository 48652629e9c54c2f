import { describe, expect, test } from 'vitest';
import { Interpreter } from '../../shared/events/interpreter.ts';
import { accountOf } from './account.ts';
import { judgePart, SHOWN_BY_COMMANDS, SHOWN_BY_KEY_EVENTS } from './judge-part.ts';
import { playPart } from './partly-seen.ts';
import { partStreams, withoutHotLoops } from './spoil/streams.ts';

const SHARES = [0.25, 0.5, 0.75];

describe('level monitor, from the middle', () => {
  test.each(partStreams(true))(
    '$name: every reported event happened, and no event is missing',
    ({ steps, release }) => {
      expect(problemsOf(withoutHotLoops(steps()), release, true, SHARES)).toEqual([]);
    },
  );
});

describe('level events, from the beginning and from the middle', () => {
  test.each(partStreams(false))(
    '$name: every reported event happened, and a missing event is one that key events do not show',
    (stream) => {
      expect(problemsOf(withoutHotLoops(stream.steps()), stream.release, false, [0, ...SHARES])).toEqual([]);
    },
  );
});

function problemsOf(
  steps: ReturnType<typeof withoutHotLoops>,
  release: string | undefined,
  hasCommands: boolean,
  shares: readonly number[],
): string[] {
  const account = accountOf(steps, { release });
  const shows = hasCommands ? SHOWN_BY_COMMANDS : SHOWN_BY_KEY_EVENTS;
  return shares.flatMap((share) => {
    const interpreter = new Interpreter({ source: 'trace', hasCommands });
    const from = Math.floor(share * steps.length);
    const { events, since } = playPart(steps, { hasCommands, from }, (step) => interpreter.interpret(step));
    expect(since).toBeLessThan(Number.POSITIVE_INFINITY);
    return judgePart(account, events, { since, shows }).map((problem) => `from ${share}: ${problem}`);
  });
}
