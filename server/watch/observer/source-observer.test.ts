import { expect, test } from 'vitest';
import type { SourceOptions, ToWorker } from '../source/worker-messages.ts';
import type { ObserverThread, ThreadHandlers } from './observer-thread.ts';
import { SourceObserver } from './source-observer.ts';

test('if its client is gone, a request is rejected: it is not sent, or it is cancelled', async () => {
  const posted: ToWorker[] = [];
  const thread = {
    begin: () => 1,
    post: (_: number, message: ToWorker) => void posted.push(message),
  } as Partial<ObserverThread> as ObserverThread; // an observer reads only these fields
  const observer = new SourceObserver(thread, {} as SourceOptions, {} as ThreadHandlers);
  const make = (request: number): ToWorker => ({ type: 'cancel', request });
  await expect(observer.ask(make, 100, AbortSignal.abort())).rejects.toMatchObject({
    problem: { code: 'observer-failed' },
  });
  expect(posted).toEqual([]);
  const client = new AbortController();
  const asked = observer.ask(make, 100, client.signal);
  client.abort();
  await expect(asked).rejects.toMatchObject({ problem: { code: 'observer-failed' } });
  expect(posted).toEqual([make(1), { type: 'cancel', request: 1 }]);
});
