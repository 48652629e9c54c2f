import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StagePage } from '../../pages/stage-page.ts';
import type { Lockscope } from '../../support/lockscope/lockscope.ts';
import { startLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { SERVER } from '../../support/servers/server-host.ts';
import { expect, test } from '../stage.ts';

/**
 * This script counts its calls. The first one, for the demo's own server, continues; the n-th after it waits for
 * `mayStart(n)`.
 */
const WHEN_ALLOWED = `n=0
until mkdir "$0.$n" 2>/dev/null; do n=$((n + 1)); done
until [ $n = 0 ] || [ -e "$0.go.$n" ] || [ ! -e "$0" ]; do sleep 0.1; done
`;

const IS_DOCKER = SERVER === 'docker';
const PROGRAM = IS_DOCKER ? 'docker' : 'redis-server';
let dir: string;
test.beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lockscope-slow-'));
});
test.afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Starts a demo that starts its servers through this script, which then runs the real program. */
async function startDemoBy(script: string): Promise<Lockscope> {
  const path = join(dir, PROGRAM);
  writeFileSync(path, `#!/bin/sh\nPATH="\${PATH#${dir}:}"\n${script}\nexec ${SERVER} "$@"\n`);
  chmodSync(path, 0o755);
  return startLockscopeProcess('demo', [], IS_DOCKER ? { PATH: `${dir}:${process.env.PATH}` } : { REDIS_SERVER: path });
}

/** Lets the n-th server of the scenario start. */
function mayStart(n: number): void {
  writeFileSync(join(dir, `${PROGRAM}.go.${n}`), '');
}

test('while the servers of a scenario start, the page shows what it waits for', async ({ page }) => {
  const demo = await startDemoBy(IS_DOCKER ? `if [ "$1" = exec ]; then ${WHEN_ALLOWED}fi` : WHEN_ALLOWED);
  try {
    const stage = new StagePage(page);
    await stage.open(demo.url);
    const shown = await stage.recordShow();
    await stage.start('redlock');
    for (const ready of [0, 1, 2]) {
      await expect(stage.caption).toHaveText(`Starting 3 Redis servers: ${ready} of 3 ready.`);
      await expect(stage.state).toHaveText(`Starting 3 Redis servers: ${ready} of 3 ready.`);
      await expect(stage.button('Play the show')).toBeDisabled();
      if (ready === 1) await stage.expectAccessible('starting servers');
      mayStart(ready + 1);
    }
    await expect(stage.state).toContainText('Playing.');
    const captions = (await shown()).map(({ caption }) => caption);
    const sinceStart = captions.slice(captions.indexOf('Starting 3 Redis servers: 0 of 3 ready.')).join();
    expect(sinceStart).not.toContain('Nothing is playing');
    expect(sinceStart).not.toContain('Press Play');
    await expect(stage.caption).not.toContainText('Starting');
  } finally {
    await demo.stop();
  }
});

/** Once the file `….lost` exists, there is no Docker engine, or the server gets no memory. */
const LOST = IS_DOCKER
  ? {
      script: 'if [ -e "$0.lost" ]; then export DOCKER_HOST=unix:///nowhere.sock; fi',
      says: 'No Docker engine is running.',
    }
  : { script: 'if [ -e "$0.lost" ]; then echo "Error: out of memory"; exit 1; fi', says: 'Error: out of memory' };

test('if the servers of a scenario cannot start, the page shows why, in both languages, and what to do', async ({
  page,
}) => {
  const demo = await startDemoBy(LOST.script);
  try {
    const stage = new StagePage(page);
    await stage.open(demo.url);
    writeFileSync(join(dir, `${PROGRAM}.lost`), '');
    await stage.start('failover');
    const alert = page.getByRole('alert');
    await expect(alert).toContainText(`The servers of the scenario did not start: `);
    await expect(alert).toContainText(LOST.says);
    await expect(alert).toContainText('start it again');
    await expect(stage.state).toContainText('Nothing is playing.');
    await page.evaluate(() => localStorage.setItem('lockscope.language', 'zh-CN'));
    await stage.open(demo.url);
    await page.getByRole('button', { name: /^故障切换/ }).click();
    await page.getByRole('button', { name: '开始', exact: true }).click();
    await expect(alert).toContainText('场景的服务器没有启动：');
    await expect(alert).toContainText(IS_DOCKER ? 'Docker 引擎没有运行' : LOST.says);
  } finally {
    await demo.stop();
  }
});
