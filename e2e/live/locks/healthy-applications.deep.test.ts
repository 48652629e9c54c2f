import { expect, test } from 'vitest';
import { ACTIVITIES_WITHOUT_LOCKS, runHealthyApplications } from '../../support/clients/healthy-applications.ts';
import { endsAfterEach } from '../../support/random/ends-after-each.ts';
import { keepStory } from '../../support/random/keep-story.ts';
import { watchAtLevels } from '../../support/random/watch-at-levels.ts';

/** How long the applications run. No verdict needs a wait of more than 60 s, or more than two leases. */
const SECONDS = Number(process.env.HEALTHY_SECONDS || 100);
const keep = endsAfterEach();

test('healthy applications raise no alarm, and only their locks are shown as locks', {
  timeout: (SECONDS + 120) * 1000,
}, async () => {
  const { redis, watching } = await watchAtLevels(keep);
  await runHealthyApplications(redis.url, Date.now() + SECONDS * 1000);
  for (const { level, lockscope, reading } of watching) {
    const locks = await lockscope.locks();
    const events = await reading.stop();
    const alarms = events.filter(({ type }) => type === 'insight.opened');
    const shown = locks.filter(({ name }) =>
      ACTIVITIES_WITHOUT_LOCKS.some((activity) => name.startsWith(`${activity}:`)),
    );
    const where = alarms.length === 0 ? '' : keepStory({ seed: 'none', level, alarms, events });
    console.log(`healthy applications, ${level}: ${events.length} events, ${locks.length} locks`);
    console.log(locks.map((each) => `${each.name} ${each.library} ${each.evidence?.join('+')}`).join('\n'));
    console.log(alarms.map((alarm) => JSON.stringify(alarm)).join('\n'));
    expect.soft(alarms, `${level}: alarms, story in ${where}`).toEqual([]);
    const probable = shown.map(({ name, evidence }) => `${name}: ${evidence?.join(', ')}`);
    expect.soft(probable, `${level}: shown as a lock`).toEqual([]);
  }
});
