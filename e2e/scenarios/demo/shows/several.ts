import { expect } from '../../stage.ts';
import { eventsOf, only, type Show } from './show.ts';

/** Scenarios with many threads, several locks, or their own servers: the steps that matter. */
export const SEVERAL: readonly Show[] = [
  {
    id: 'jdk-contrast',
    says: 'a thread waits for itself at a lock in memory, as the demo client reports; an RLock counts its holds',
    expect: async ({ stage, lockscope, look }) => {
      await stage.standAtTheStart();
      const memory = stage.stage.getByRole('region', { name: 'In the memory of A: plainLock' });
      await stage.stepTo('A acquires plainLock in its own memory');
      await expect(memory).toContainText('Reported by the demo client. It is not in Redis.');
      await expect(stage.redis).toContainText('Free. No client holds it.');
      await stage.stepTo('hold count 2');
      await expect(stage.redis).toContainText('B order-svc-2:1 ×2');
      await stage.stepTo('A waits for itself');
      await expect(stage.card('A')).toContainText(/waits for itself.*holds plainLock/);
      await expect(memory).toContainText('its own thread waits');
      await look('a lock in memory');
      await stage.stepTo('A gives up after 2');
      await stage.stepTo('Hold count 1');
      await stage.stepTo('the demo interrupts A');
      await stage.stepTo('A frees plainLock');
      await expect(memory).toContainText('free');
      expect((await eventsOf(lockscope)).filter(({ lock }) => lock === 'plainLock')).toEqual([]);
    },
  },
  {
    id: 'deadlock',
    says: 'the circle is drawn, and disappears when the deadlock is over',
    isInGate: true,
    isPresented: true,
    expect: async ({ stage, look }) => {
      await stage.standAtTheStart();
      const circle = stage.stage.getByRole('figure', { name: 'Deadlock' });
      await stage.stepTo('B acquires stock:7');
      await expect(circle).toBeHidden();
      await stage.stepTo('each waits for the lock the other holds');
      await expect(circle).toContainText('A wants stock:7, which B holds. B wants orders:42, which A holds.');
      await expect(stage.card('A')).toContainText('asleep, wants stock:7');
      await expect(stage.card('A')).toContainText('holds orders:42 ×1');
      await stage.stepTo('the deadlock is over');
      await expect(circle).toBeHidden();
      await stage.stepTo('B wakes');
      await stage.stepTo('B releases stock:7');
      await stage.button('To the end').click();
      await expect(stage.lesson).toContainText('Take locks in one order everywhere.');
      await look('the lesson');
    },
  },
  {
    id: 'thundering-herd',
    says: 'of eight sleepers, three clients receive the message, and the table counts attempts as the events do',
    isInGate: true,
    isPresented: true,
    expect: async ({ stage, lockscope, look }) => {
      await stage.standAtTheStart();
      const tally = stage.stage.getByRole('table', { name: 'Counted from the events' });
      await stage.stepTo('8 threads sleep now');
      for (const client of ['A', 'B', 'C']) await expect(stage.card(client)).toContainText('asleep');
      await stage.stepTo('3 clients receive it');
      await expect(tally.getByRole('row', { name: 'Release 1' })).toContainText(/8\s*0\s*0\s*0$/);
      await look('the herd');
      await stage.stepTo('is first');
      await stage.standAtTheEnd();
      const events = await eventsOf(lockscope, 'orders:42');
      const woken = only(events, 'lock.acquired').filter(({ wokenBy }) => wokenBy === 'message').length;
      const lost = only(events, 'lock.refused').filter(({ wokenBy }) => wokenBy === 'message').length;
      expect(lost).toBeGreaterThan(0);
      const row = tally.getByRole('row', { name: 'In all' });
      await expect(row.getByRole('cell')).toHaveText(['', String(woken + lost), String(woken), String(lost)]);
    },
  },
  {
    id: 'multi-lock',
    says: 'two of three locks are not enough and are released; then all three are acquired',
    expect: async ({ stage, look }) => {
      await stage.standAtTheStart();
      const lock = (name: string) => stage.redis.getByRole('article', { name: `Redis ${name}` });
      await stage.stepTo('A cannot have all 3');
      await expect(lock('stock:7')).toContainText('A was refused');
      await expect(lock('invoice:9')).toContainText('A has not asked here');
      await stage.stepTo('all or nothing');
      await expect(stage.redis).toContainText('A’s multi lock: rolled back, it holds nothing');
      await expect(lock('orders:42')).toContainText('A released it');
      await stage.stepTo('it has all 3');
      await expect(stage.redis).toContainText('A’s multi lock: 3 of 3');
      // on a busy machine, the events from Redis alone do not show that the locks belong together
      await expect(stage.redis).toContainText(/(It is inferred|The demo client reports) that they belong together\./);
      await expect(stage.card('A')).toContainText('holds orders:42 ×1, stock:7 ×1, invoice:9 ×1');
      await look('three locks');
      await stage.stepTo('A releases invoice:9');
    },
  },
  {
    id: 'redlock',
    says: 'A gets a majority with one server killed, and B gets none with two killed',
    isPresented: true,
    expect: async ({ stage, lockscope, look }) => {
      await stage.standAtTheStart();
      const server = (n: number) => stage.redis.getByRole('article', { name: `Redis ${n} pay:7` });
      await stage.stepTo('Redis 2 is killed');
      await expect(server(2)).toContainText('Killed. It does not answer and is not watched.');
      await stage.stepTo('2 of 3 servers said yes');
      await expect(stage.redis).toContainText('A’s RedLock: 2 of 3 servers, a majority');
      for (const n of [1, 3]) await expect(server(n)).toContainText('A order-svc-1:1 ×1');
      await expect(stage.card('A')).toContainText('holds Redis 1 ×1, Redis 3 ×1');
      await look('three servers');
      await stage.stepTo('B asks for pay:7 on Redis 1: busy');
      await stage.stepTo('B counts 0 of 3 servers: no majority');
      await stage.stepTo('Redis 3 is killed');
      await stage.stepTo('B counts 1 of 3 servers: no majority');
      const health = async () => {
        const { sources, status } = await lockscope.health();
        return { status, sources: sources.map(({ id, status }) => `${id} ${status}`) };
      };
      // on a busy machine a server may lag for a while, and is degraded
      await expect.poll(health).toEqual({
        status: 'ok',
        sources: ['redis observing', 'redis-1 observing', 'redis-2 reconnecting', 'redis-3 reconnecting'],
      });
      await expect(stage.health.getByText('ended by the scenario')).toHaveCount(2);
      await expect(stage.page.getByRole('alert')).toHaveCount(0);
    },
  },
  {
    id: 'failover',
    says: 'the promoted replica does not have A’s lock, and two clients think they hold it',
    expect: async ({ stage, lockscope, look }) => {
      await stage.standAtTheStart();
      const servers = stage.stage.getByRole('list', { name: 'Servers' });
      await stage.stepTo('A acquires the lock');
      await expect(servers).toContainText('Redis 2 replica, cut off from Redis 1');
      await stage.stepTo('Redis 1 is killed');
      await stage.stepTo('Redis 2 is promoted');
      await stage.stepTo('Redis 2 has no record of A’s lock');
      await expect(stage.card('A')).toContainText('works on, thinks it still holds the lock');
      await stage.stepTo('Two work at once');
      await expect(stage.redis.getByRole('article', { name: 'Redis 2 orders:42' })).toContainText('B order-svc-2:1 ×1');
      await expect(servers).toContainText('Redis 2 master now');
      await look('two believers');
      await stage.stepTo('A’s unlock is refused: Redis 2 never knew its lock');
      await stage.stepTo('No thread is waiting');
      const reported = await eventsOf(lockscope, 'orders:42');
      expect(reported.find(({ type }) => type === 'lock.lost')).toMatchObject({
        reason: 'failover',
        certainty: 'inferred',
      });
    },
  },
];
