import { expect, test } from 'vitest';
import { Interpreter } from '../../../shared/events/interpreter.ts';
import { accountOf } from '../account.ts';
import { judge } from '../judge.ts';
import type { EventFields } from './spoil.ts';
import { SPOILINGS } from './spoilings.ts';
import { comparedStreams, LEFT_OUT, LEFT_OUT_OF_PARTS, withoutHotLoops } from './streams.ts';

type Score = { streams: number; noticed: number; missedIn: string[] };

/** Adds each kind of mistake to every stream, one event at a time, and counts how often the comparison notices it. */
function scores(): Map<string, Score> {
  const found = new Map(
    Object.keys(SPOILINGS).map((way): [string, Score] => [way, { streams: 0, noticed: 0, missedIn: [] }]),
  );
  for (const stream of comparedStreams()) {
    const steps = withoutHotLoops(stream.steps());
    const interpreter = new Interpreter({ source: 'trace' });
    const events = steps.flatMap((step) => interpreter.interpret(step));
    const account = accountOf(steps, { release: stream.release });
    for (const [way, spoil] of Object.entries(SPOILINGS)) {
      const spoiled = spoil(events as readonly EventFields[]);
      const score = found.get(way);
      if (!spoiled || !score) continue;
      score.streams++;
      if (judge(account, spoiled as unknown as typeof events, 1).length > 0) score.noticed++;
      else score.missedIn.push(stream.name);
    }
  }
  return found;
}

/** The list of mistakes with their scores, as it is in `SPOILINGS.md`. */
function page(found: ReadonlyMap<string, Score>): string {
  const all = [...found.values()];
  const [streams, noticed] = [sum(all.map((score) => score.streams)), sum(all.map((score) => score.noticed))];
  const rows = [...found].map(
    ([way, score]) => `| ${way} | ${score.streams} | ${score.noticed} | ${score.missedIn[0] ?? ''} |`,
  );
  const share = ((100 * noticed) / streams).toFixed(2);
  return [
    '# Ways of being wrong',
    '',
    'Each way makes one event of a correct stream wrong: the one in the middle of all that it could spoil. The comparison in',
    'this folder must notice it. `spoilings.deep.test.ts` fails if the scores differ from this page. To write it again:',
    '`npx vitest run --project unit-deep testing/oracle/spoil/spoilings.deep.test.ts --update`.',
    '',
    `**${found.size} ways, ${streams} spoiled streams, ${noticed} noticed: ${share} %.**`,
    '',
    '| what is wrong | spoiled streams | noticed | not noticed, for example, in |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
    '## What is left out',
    '',
    'Streams whose name has one of these words are not compared:',
    '',
    ...LEFT_OUT.map(reasonOf),
    '',
    'In `part.test.ts`, which compares parts of streams, also not:',
    '',
    ...LEFT_OUT_OF_PARTS.map(reasonOf),
    '- `other/`: locks of other libraries, which are strings',
    '',
  ].join('\n');
}

function reasonOf([pattern, reason]: readonly [RegExp, string]): string {
  return `- \`${pattern.source.trim()}\`: ${reason}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

test('the comparison finds at least 98 % of the streams with a mistake, and each kind of mistake at least once', async () => {
  const found = scores();
  const all = [...found.values()];
  expect(found.size).toBeGreaterThanOrEqual(170);
  expect([...found].filter(([, { noticed }]) => noticed === 0).map(([way]) => way)).toEqual([]);
  expect(sum(all.map(({ noticed }) => noticed)) / sum(all.map(({ streams }) => streams))).toBeGreaterThanOrEqual(0.98);
  await expect(page(found)).toMatchFileSnapshot('SPOILINGS.md');
}, 600_000);
