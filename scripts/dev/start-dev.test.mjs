import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandLine, PAGE_PORT } from './start-dev.mjs';

const NODE = ['--enable-source-maps'];

test.each([
  [[], {}, NODE, ['demo']],
  [[], { REDIS_URL: 'redis://db' }, NODE, []],
  [['--observe', 'snapshot'], {}, NODE, ['demo', '--observe', 'snapshot']],
  [['redis://other', '--observe', 'events'], {}, NODE, ['redis://other', '--observe', 'events']],
  [['open', 'night.lockscope'], {}, NODE, ['open', 'night.lockscope']],
  [['--inspect'], {}, [...NODE, '--inspect'], ['demo']],
])('`npm run dev -- %j` with %j passes %j to Node, and %j to Lockscope', (words, env, forNode, forLockscope) => {
  expect(commandLine(words, env)).toEqual({ forNode, forLockscope });
});

test('the VS Code configurations name programs that exist, and the port of the page', () => {
  const { configurations, compounds } = JSON.parse(readFileSync('.vscode/launch.json', 'utf8'));
  const programs = configurations.flatMap(({ program = [] }) => program);
  expect(programs).toHaveLength(2);
  for (const program of programs)
    expect(existsSync(program.replace(/^\$\{workspaceFolder\}\//, '')), program).toBe(true);
  const names = configurations.map(({ name }) => name);
  for (const compound of compounds) expect(names).toEqual(expect.arrayContaining(compound.configurations));
  expect(configurations.find(({ type }) => type === 'chrome').url).toBe(`http://127.0.0.1:${PAGE_PORT}`);
});
