import { parentPort, workerData } from 'node:worker_threads';
import { batchedPost } from './batched-post.ts';
import { SourceRunner } from './source-runner.ts';
import type { SourceOptions, ToWorker } from './worker-messages.ts';

/** The thread of one source: what Redis says is read and interpreted here, and only events leave. */
const port = parentPort;
if (!port) throw new Error('source-worker runs as a worker thread');

const post = batchedPost((message) => port.postMessage(message));
const runner = new SourceRunner(workerData as SourceOptions, post); // the only one who starts it is SourceHandle

port.on('message', async (message: ToWorker) => {
  switch (message.type) {
    case 'observe': {
      const problem = await runner.observe(message.level, message.forMs);
      post({ type: 'observed', request: message.request, problem });
      break;
    }
    case 'signals':
      post({ type: 'signals', request: message.request, lines: runner.linesOf(message.seq) ?? null });
      break;
    case 'recording': {
      const { request, from, to } = message;
      post({ type: 'recording', request, cut: (await runner.recordingOf(from, to)) ?? null });
      break;
    }
    case 'place':
      runner.moveTo(message.place, message.problem);
      break;
    case 'stop':
      await runner.stop();
      post({ type: 'stopped' });
      port.close();
      break;
  }
});

await runner.run();
