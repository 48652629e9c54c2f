import { describe, expect, test } from 'vitest';
import { verdictAt } from '../../../../testing/goldens/report-from-events.ts';
import { seconds, story } from '../../../../testing/stories/story.ts';

/** Six threads wait, and the holder releases every 4 s: the next one acquires, and the former holder waits again. */
function queue(rounds: number): string {
  const threads = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
  const asks = (at: number, who: string) =>
    [`${at} ${who} attempts refused`, `${at + 0.001} ${who} subscribes`, `${at + 0.002} ${who} attempts refused`].join(
      '\n',
    );
  const lines = ['0 A attempts acquired', ...threads.slice(1).map((who, n) => asks(0.1 + n / 10, who))];
  for (let round = 0; round < rounds; round++) {
    const at = 4 + round * 4;
    const [holder = '', next = ''] = [threads[round % 7], threads[(round + 1) % 7]];
    lines.push(`${at} ${holder} releases`, `${at + 0.01} ${next} attempts acquired`, asks(at + 0.1, holder));
  }
  return lines.join('\n');
}

const verdict = (text: string, at: number) => verdictAt('convoy', story(`stock lease 60s\n${text}`), seconds(at));

describe('convoy', () => {
  test('is a hint while many threads wait for 30 s and the lock changes hands', () => {
    expect(verdict(queue(8), 34)).toMatchObject([
      {
        ...{ severity: 'hint', confidence: 'certain', to: null, effect: 'slow' },
        values: { waiting: 6, holds: 8 },
      },
    ]);
    expect(verdict(queue(8), 30)).toEqual([]);
  });

  test('reports the beginning as a lower limit if its threads had already waited when they were first seen', () => {
    const first = [...'CDEFG'].map((who, n) => `${4.02 + n / 100} ${who} attempts refused`).join('\n');
    const older = `0 - snapshot A×1 60000ms 6\n${queue(8).slice(queue(8).indexOf('4 A releases'))}`;
    const text = older.replace('4.01 B attempts acquired', `4.01 B attempts acquired\n${first}`);
    expect(verdict(text, 36)).toMatchObject([{ isAtLeast: true }]);
    expect(verdict(queue(8), 36)).not.toMatchObject([{ isAtLeast: true }]);
  });

  test('has the same id after the next hand-over', () => {
    const idAt = (at: number) => {
      const found = verdict(queue(10), at);
      return Array.isArray(found) ? found.map(({ id }) => id) : found;
    };
    expect(idAt(34)).toHaveLength(1);
    expect(idAt(38)).toEqual(idAt(34));
  });

  test('does not count threads that only subscribed: they may no longer wait', () => {
    const left = ['H', 'I', 'J', 'K', 'L', 'M'].map(
      (who, n) => `0.${n}1 ${who} attempts refused\n 0.${n}2 ${who} subscribes`,
    );
    const lines = ['0 A attempts acquired', ...left];
    for (let round = 0; round < 8; round++) {
      const [holder, next] = round % 2 === 0 ? ['A', 'B'] : ['B', 'A'];
      const at = 4 + round * 4;
      lines.push(
        `${at - 1} ${next} attempts refused\n ${at - 0.9} ${next} subscribes\n ${at - 0.8} ${next} attempts refused`,
      );
      lines.push(`${at} ${holder} releases\n ${at + 0.01} ${next} attempts acquired`);
    }
    expect(verdict(lines.join('\n'), 34)).toEqual([]);
  });

  test('ends when the lock no longer changes hands, or when few threads wait', () => {
    expect(verdict(queue(8), 50)).toEqual([]);
    const left = ['B', 'C', 'D'].map((who, n) => `33.${n} ${who} attempts acquired\n 33.${n}5 ${who} releases`);
    expect(verdict(`${queue(7)}\n 32 A releases\n ${left.join('\n')}`, 34)).toEqual([]);
  });
});
