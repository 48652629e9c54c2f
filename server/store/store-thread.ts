import { parentPort, workerData } from 'node:worker_threads';
import { DatabaseError } from './database.ts';
import { openCore } from './open-core.ts';
import { Asked } from './store-link.ts';
import type { FromStore, StoreTask, ToStore } from './thread-messages.ts';

/** The thread of a store: only it touches the file, or the connection. */
const port = parentPort;
if (!port) throw new Error('store-thread runs as a worker thread');
const post = (message: FromStore) => port.postMessage(message);

const { path, ...options } = workerData as StoreTask; // only StoreThread starts this worker
const opened = await openCore(path, options);
post({ type: 'opened', refusal: opened.ok ? null : opened.error });
if (opened.ok) {
  const asked = new Asked(opened.value);
  port.on('message', ({ request, question }: ToStore) => {
    asked.ask(question).then(
      (answer) => post({ type: 'answer', request, answer }),
      (error: unknown) => {
        if (!(error instanceof DatabaseError)) throw error;
        post({ type: 'fault', request, fault: error.fault, quote: error.message });
      },
    );
  });
}
