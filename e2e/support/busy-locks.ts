import { connectApp } from './app.ts';

const NAMES = 40;
const THREADS = 10;

/** Takes and releases other locks, three events each time, as fast as Redis answers. */
export async function keepBusy(url: string, times: number): Promise<void> {
  const app = await connectApp(url);
  const take = async (n: number) => {
    const lock = `cart:${n}`;
    const thread = 1 + (n % THREADS);
    await app.acquire(lock, { thread });
    await app.release(lock, { thread });
  };
  for (let done = 0; done < times; done += NAMES) {
    await Promise.all(Array.from({ length: NAMES }, (_, n) => take(n)));
  }
  await app.close();
}
