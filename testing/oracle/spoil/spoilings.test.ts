import { expect, test } from 'vitest';
import { Interpreter } from '../../../shared/events/interpreter.ts';
import { accountOf } from '../account.ts';
import { judge } from '../judge.ts';
import type { EventFields } from './spoil.ts';
import { SPOILINGS } from './spoilings.ts';
import { comparedStreams, withoutHotLoops } from './streams.ts';

test('the comparison finds each kind of mistake in at least one stream', () => {
  const unnoticed = new Map(Object.entries(SPOILINGS));
  expect(unnoticed.size).toBeGreaterThanOrEqual(75);
  for (const stream of comparedStreams()) {
    if (unnoticed.size === 0) break;
    const steps = withoutHotLoops(stream.steps());
    const interpreter = new Interpreter({ source: 'trace' });
    const events = steps.flatMap((step) => interpreter.interpret(step));
    const account = accountOf(steps, { release: stream.release });
    for (const [mistake, spoil] of unnoticed) {
      const spoiled = spoil(events as readonly EventFields[]);
      if (spoiled && judge(account, spoiled as unknown as typeof events, 1).length > 0) unnoticed.delete(mistake);
    }
  }
  expect([...unnoticed.keys()]).toEqual([]);
});
