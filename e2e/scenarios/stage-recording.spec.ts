import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SHOWN_WITHIN_MS, StagePage } from '../pages/stage-page.ts';
import { startLockscope } from '../support/clients/lockscope.ts';
import { expect, test } from './stage.ts';

test('without any Redis the recorded show plays, and is labelled as a recording', async ({ page }) => {
  test.slow();
  const bin = mkdtempSync(join(tmpdir(), 'lockscope-no-redis-'));
  symlinkSync(process.execPath, join(bin, 'node'));
  const lockscope = await startLockscope('demo', [], { PATH: bin, REDIS_SERVER: '' });
  try {
    const stage = new StagePage(page);
    await stage.open(lockscope.url);
    await expect(stage.stage).toContainText('recording');
    const shown = await stage.recordShow();
    await stage.start('full-show');
    const captions = async () => (await shown()).map(({ caption }) => caption);
    await expect.poll(captions).toContain('A acquires the lock. Redis grants a 6-second lease.');
    await stage.chooseSpeed('×4');
    await expect(stage.card('A')).toContainText('crashed', { timeout: SHOWN_WITHIN_MS });
    await expect(stage.summary).toBeVisible({ timeout: SHOWN_WITHIN_MS });
    await expect(stage.summary).toContainText('woken by message');
    await expect(stage.button('Try it yourself')).toHaveCount(0);
    await expect(stage.button('Lock as A')).toHaveCount(0);
  } finally {
    await lockscope.stop();
    rmSync(bin, { recursive: true });
  }
});
