import { describe, expect, test } from 'vitest';
import { Interpreter } from '../../shared/events/interpreter.ts';
import { accountOf } from './account.ts';
import { judge } from './judge.ts';
import { comparedStreams } from './spoil/streams.ts';

describe('level monitor, from the first line', () => {
  test.each(comparedStreams())(
    '$name: the oracle agrees with the key events, and every field that is reported is true',
    (stream) => {
      const steps = stream.steps();
      const interpreter = new Interpreter({ source: 'trace' });
      const events = steps.flatMap((step) => interpreter.interpret(step));
      const account = accountOf(steps, { release: stream.release });
      expect(account.problems).toEqual([]);
      expect(judge(account, events)).toEqual([]);
    },
  );
});
