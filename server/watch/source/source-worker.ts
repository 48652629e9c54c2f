import { parentPort, workerData } from 'node:worker_threads';
import { batchedPost } from './batched-post.ts';
import { SourceRunner } from './source-runner.ts';
import type { SourceOptions, ToWorker } from './worker-messages.ts';

/** The thread of one source: it reads Redis and interprets what it reads. Only events leave the thread. */
const port = parentPort;
if (!port) throw new Error('source-worker runs as a worker thread');

const post = batchedPost((message) => {
  const isCut = message.type === 'recording' && message.cut !== null;
  port.postMessage(message, isCut ? [message.cut.bytes.buffer] : []);
});
/** Cuts under way, by request. */
const cuts = new Map<number, AbortController>();
const runner = new SourceRunner(workerData as SourceOptions, post); // only SourceHandle starts this worker

port.on('message', (message: ToWorker) => {
  take(message).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    if ('request' in message) post({ type: 'unanswered', request: message.request, reason });
    else throw error;
  });
});

await runner.run();

async function take(message: ToWorker): Promise<void> {
  switch (message.type) {
    case 'observe':
      post({ type: 'observed', request: message.request, problem: await runner.observe(message.wish) });
      break;
    case 'own-locks':
      runner.decideOwnLocks(message.wish);
      post({ type: 'observed', request: message.request, problem: null });
      break;
    case 'note':
      runner.takeNote(message.note);
      post({ type: 'observed', request: message.request, problem: null });
      break;
    case 'signals':
      post({ type: 'signals', request: message.request, lines: runner.linesOf(message.seq) ?? null });
      break;
    case 'recording': {
      const { request, from, to } = message;
      const cut = new AbortController();
      cuts.set(request, cut);
      try {
        post({ type: 'recording', request, cut: (await runner.recordingOf(from, to, cut.signal)) ?? null });
      } finally {
        cuts.delete(request);
      }
      break;
    }
    case 'cancel':
      cuts.get(message.request)?.abort();
      break;
    case 'place':
      runner.moveTo(message.place, message.problem);
      break;
    case 'server-ready':
      runner.notifications.ready();
      break;
    case 'beat':
      post({ type: 'beat' });
      break;
    case 'memory':
      runner.setRooms(message.memory);
      break;
    case 'stop':
      await runner.stop();
      post({ type: 'stopped' });
      port?.close();
      break;
  }
}
