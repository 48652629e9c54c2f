import { BroadcastChannel, isMainThread } from 'node:worker_threads';

/*
 * Preloaded into a Lockscope under attack. SIGUSR2 ends every worker thread of it, as a fault in one would. SIGWINCH
 * keeps every worker thread busy for six seconds, as an endless loop would.
 */

const BUSY_MS = 6000;
const channel = new BroadcastChannel('attack');
channel.unref();

if (isMainThread) {
  const threads = new Set();
  process.on('worker', (worker) => {
    threads.add(worker);
    worker.once('exit', () => threads.delete(worker));
  });
  process.on('SIGUSR2', () => {
    for (const worker of threads) void worker.terminate();
  });
  process.on('SIGWINCH', () => channel.postMessage('be busy'));
} else {
  channel.onmessage = () => {
    for (const until = performance.now() + BUSY_MS; performance.now() < until; );
  };
}
