import { createApp } from '../../server/http/app.ts';
import { createGuard } from '../../server/http/guard/guard.ts';
import { createHttpServer, listen } from '../../server/http/http-server.ts';
import type { Observatory } from '../../server/watch/observatory.ts';
import { EventStore } from '../../server/watch/store/event-store.ts';
import { sharesOf } from '../../server/watch/terms/memory-shares.ts';
import { PastWorld } from '../../shared/state/replay/past-world.ts';
import { END, fillMemory } from './full-memory.ts';
import { TurnMeter } from './turn-meter.ts';

/** The requests of the bench, one at a time. */
export type Ask = 'start' | 'start-turns' | 'stop' | { readonly replayTo: number };
/** CPU time since the start and the longest turn of the event loop; for a replay its CPU time, and 0. */
export type Measured = { readonly cpuMs: number; readonly turnMs: number };

const [events = 0, held = 0] = process.argv.slice(2).map(Number);
const eventStore = new EventStore(() => END, { ...sharesOf(), historyBytes: 512 * 1024 * 1024 });
await fillMemory(eventStore, { events, held });
const { history, answers } = eventStore;
if (history.count() !== events) throw new Error(`only ${history.count()} of ${events} events are in memory`);

const observatory = {
  ...answers,
  history: Object.assign(history, { signals: async () => undefined }),
  sources: () => [],
} as unknown as Observatory; // the routes used here need only these fields
const server = createHttpServer('127.0.0.1');
const port = await listen(server, '127.0.0.1', 0);
server.on(
  'request',
  createApp({
    observatory,
    stage: undefined,
    guard: createGuard({ host: '127.0.0.1', token: undefined, port }),
    version: 'bench',
    allowRelease: false,
    webDir: '/',
    report: (error) => {
      throw error;
    },
  }),
);

let cpu = process.cpuUsage();
const turns = new TurnMeter();
process.on('message', (ask: Ask) => {
  if (typeof ask === 'object') {
    process.send?.({ cpuMs: replay(ask.replayTo), turnMs: 0 } satisfies Measured);
    return;
  }
  if (ask === 'stop') {
    const { user, system } = process.cpuUsage(cpu);
    process.send?.({ cpuMs: (user + system) / 1000, turnMs: turns.stop() } satisfies Measured);
    return;
  }
  if (ask === 'start-turns') turns.start();
  cpu = process.cpuUsage();
  process.send?.('started');
});
process.once('disconnect', () => process.exit());
process.send?.({ url: `http://127.0.0.1:${port}` });

/** CPU time of a replay of all events up to an instant, in ms. */
function replay(at: number): number {
  const before = process.cpuUsage();
  const world = new PastWorld();
  for (const block of history.remembered().blocks) {
    if (block.oldestAt > at) break;
    for (const event of block.events()) if (event.at <= at) world.take(event);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
