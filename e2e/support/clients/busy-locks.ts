import type { Lockscope } from '../lockscope/lockscope.ts';
import { waitFor } from '../wait-for.ts';
import type { App } from './app.ts';

const AT_ONCE = 40;
const THREADS = 10;
const EVENTS_EACH = 3;
/**
 * Lockscope may be at most this many events behind (about three lines each), or it ends MONITOR because lines are late.
 */
const MOST_BEHIND = 1000;
/** How long catching up may take on a busy machine. */
const CATCH_UP_MS = 90_000;

/** Acquires and releases locks `cart:N`, three events each time, as fast as Lockscope reports them. */
export async function keepBusy(app: App, times: number, lockscope: Lockscope): Promise<void> {
  const first = await lockscope.newestSeq();
  const take = async (n: number) => {
    const lock = `cart:${n}`;
    const thread = 1 + (n % THREADS);
    await app.acquire(lock, { thread });
    await app.release(lock, { thread });
  };
  let reported = first;
  const isReported = (seq: number) => async (): Promise<boolean> => {
    reported = await lockscope.newestSeq();
    return reported >= seq;
  };
  for (let done = 0; done < times; done += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => take(n)));
    const enough = first + (done + AT_ONCE) * EVENTS_EACH - MOST_BEHIND;
    if (enough > reported) await waitFor('Lockscope to catch up', isReported(enough), CATCH_UP_MS);
  }
}
