import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import { windowBody } from '../../shared/wire/window.ts';
import { makeMemoryObservatory } from '../testing/memory-observatory.ts';
import { randomEvents } from '../testing/random-events.ts';
import { serveTestApp } from '../testing/test-app.ts';
import { EventStore } from '../watch/store/event-store.ts';

test('41 pages that request the same window at the same time all get the same response', async () => {
  const events = randomEvents(1, 40);
  const now = redisTime(Math.max(...events.map(({ at }) => at)));
  const eventStore = new EventStore(() => now);
  eventStore.add(events);
  const app = await serveTestApp({ ...makeMemoryObservatory(), ...eventStore.answers });
  try {
    const path = `/api/window?from=${eventStore.history.oldestAt}`;
    const answers = await Promise.all(Array.from({ length: 41 }, () => app.get(path)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const [first, ...others] = answers.map(({ body }) => windowBody.parse(body));
    expect(first?.events.length).toBeGreaterThan(100);
    for (const other of others) expect(other).toEqual(first);
    expect(app.mistakes).toEqual([]);
  } finally {
    await app.close();
  }
});
