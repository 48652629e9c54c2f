import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StagePage } from '../../pages/stage-page.ts';
import { startLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { expect, test } from '../stage.ts';

test('without any Redis the demo plays recorded runs, shows that, and has no buttons to control clients', async ({
  page,
}) => {
  const bin = mkdtempSync(join(tmpdir(), 'lockscope-no-redis-'));
  symlinkSync(process.execPath, join(bin, 'node'));
  const lockscope = await startLockscopeProcess('demo', [], { PATH: bin, REDIS_SERVER: '' });
  try {
    const stage = new StagePage(page);
    await stage.open(lockscope.url);
    await expect(stage.stage).toContainText('recording');
    await stage.chooseSpeed('×4');
    await stage.start('unlock-by-non-owner');
    await expect(stage.state).toHaveText('Done. Step 5 of 5.');
    await expect(stage.lesson).toBeVisible();
    await expect(stage.button('Play again')).toBeVisible();
    await expect(stage.button('Try it yourself')).toHaveCount(0);
    await expect(stage.button('Lock as A')).toHaveCount(0);
  } finally {
    await lockscope.stop();
    rmSync(bin, { recursive: true });
  }
});
