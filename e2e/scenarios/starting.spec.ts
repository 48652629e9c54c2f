import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seriousFindings } from '../pages/axe.ts';
import { StagePage } from '../pages/stage-page.ts';
import { type Lockscope, startLockscope } from '../support/lockscope.ts';
import { SERVER } from '../support/server-host.ts';
import { expect, test } from './stage.ts';

/** Counts its calls, and starts the server of the n-th call n times as late as that of the first; the demo's own at once. */
const SLOWLY = `n=0
until mkdir "$0.$n" 2>/dev/null; do n=$((n + 1)); done
sleep $((n * 3))
`;

const IS_DOCKER = SERVER === 'docker';
let dir: string;
test.beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lockscope-slow-'));
});
test.afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A demo that starts its servers by way of this script, which ends with the real program. */
async function startDemoBy(script: string): Promise<Lockscope> {
  const path = join(dir, IS_DOCKER ? 'docker' : 'redis-server');
  writeFileSync(path, `#!/bin/sh\nPATH="\${PATH#${dir}:}"\n${script}\nexec ${SERVER} "$@"\n`);
  chmodSync(path, 0o755);
  return startLockscope('demo', [], IS_DOCKER ? { PATH: `${dir}:${process.env.PATH}` } : { REDIS_SERVER: path });
}

test('while the servers of a scenario start, the page says what it waits for', async ({ page }) => {
  const demo = await startDemoBy(IS_DOCKER ? `if [ "$1" = exec ]; then ${SLOWLY}fi` : SLOWLY);
  try {
    const stage = new StagePage(page);
    await stage.open(demo.url);
    const shown = await stage.recordShow();
    await page.getByRole('combobox', { name: 'Scenario' }).selectOption('redlock');
    await stage.start('redlock');
    await expect(stage.caption).toHaveText('Starting 3 Redis servers: 1 of 3 ready.');
    await expect(stage.state).toHaveText(/^Starting 3 Redis servers: \d of 3 ready\.$/);
    await expect(stage.button('Play the show')).toHaveCount(0);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await seriousFindings(page), `${colorScheme}: serious findings of axe`).toEqual([]);
    }
    await expect(stage.state).toContainText('Playing.');
    const captions = (await shown()).map(({ caption }) => caption);
    expect(captions).toEqual(
      expect.arrayContaining([0, 1, 2].map((n) => `Starting 3 Redis servers: ${n} of 3 ready.`)),
    );
    expect(captions.join()).not.toContain('Nothing is playing');
    await expect(stage.caption).not.toContainText('Starting');
  } finally {
    await demo.stop();
  }
});

/** Once the file is there, no engine is found, or the server finds no memory. */
const LOST = IS_DOCKER
  ? {
      script: 'if [ -e "$0.lost" ]; then export DOCKER_HOST=unix:///nowhere.sock; fi',
      says: 'No Docker engine is running.',
    }
  : { script: 'if [ -e "$0.lost" ]; then echo "Error: out of memory"; exit 1; fi', says: 'Error: out of memory' };

test('a scenario whose servers cannot start says why and what to do, in both languages', async ({ page }) => {
  const demo = await startDemoBy(LOST.script);
  try {
    const stage = new StagePage(page);
    await stage.open(demo.url);
    writeFileSync(join(dir, IS_DOCKER ? 'docker.lost' : 'redis-server.lost'), '');
    await page.getByRole('combobox', { name: 'Scenario' }).selectOption('failover');
    await stage.start('failover');
    const alert = page.getByRole('alert');
    await expect(alert).toContainText(`The servers of the scenario did not start: `);
    await expect(alert).toContainText(LOST.says);
    await expect(alert).toContainText('start it again');
    await expect(stage.state).toContainText('Nothing is playing.');
    await page.evaluate(() => localStorage.setItem('lockscope.language', 'zh-CN'));
    await stage.open(demo.url);
    await page.getByRole('combobox', { name: '场景' }).selectOption('failover');
    await page.getByRole('button', { name: '开始 failover', exact: true }).click();
    await expect(alert).toContainText('场景的服务器没有启动：');
    await expect(alert).toContainText(IS_DOCKER ? 'Docker 引擎没有运行' : LOST.says);
  } finally {
    await demo.stop();
  }
});
