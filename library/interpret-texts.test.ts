import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { interpret } from './interpret.ts';

const AT = 1_795_000_000_000_000;
const textOf = (name: string) => readFileSync(new URL(`../shared/traces/texts/monitor.${name}.txt`, import.meta.url));

test.each(['terminal', 'compose', 'kubectl', 'utf-16'])(
  'the text of MONITOR as "%s" shows the holder at each instant',
  async (name) => {
    const night = await interpret(textOf(name));
    const threadsAt = async (at: number) =>
      (await night.locks({ at: AT + at })).locks.flatMap(({ holders, waiters }) => [
        holders.map(({ thread }) => thread),
        waiters.map(({ thread }) => thread),
      ]);
    expect(await threadsAt(1_500_000)).toEqual([['31'], ['45']]);
    expect(await threadsAt(4_500_000)).toEqual([['45'], []]);
  },
);

test('without the lines of scripts no lock is shown as free, and no check reports that nothing is wrong', async () => {
  const night = await interpret(textOf('without-lua'));
  for (const at of [1_500_000, 4_500_000]) expect((await night.locks({ at: AT + at })).locks).toEqual([]);
  expect(night.events).toMatchObject([{ type: 'blind-spot.began', at: AT + 37, reason: 'no-script-lines' }]);
  const { cannotTell } = await night.insights({});
  expect(cannotTell.map(({ effect }) => effect)).toEqual(expect.arrayContaining(['lost', 'orphaned', 'stuck']));
});
