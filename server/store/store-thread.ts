import { parentPort, workerData } from 'node:worker_threads';
import { openCore } from './open-core.ts';
import { DatabaseError } from './sqlite.ts';
import { answerOf } from './store-link.ts';
import type { FromStore, StoreTask, ToStore } from './thread-messages.ts';

/** The thread of a store: only it touches the file. */
const port = parentPort;
if (!port) throw new Error('store-thread runs as a worker thread');
const post = (message: FromStore) => port.postMessage(message);

const { path, ...retention } = workerData as StoreTask; // only StoreThread starts this worker
const opened = await openCore(path, retention);
post({ type: 'opened', refusal: opened.ok ? null : opened.error });
if (opened.ok) {
  port.on('message', ({ request, question }: ToStore) => {
    try {
      post({ type: 'answer', request, answer: answerOf(opened.value, question) });
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      post({ type: 'fault', request, fault: error.fault, quote: error.message });
    }
  });
}
