import { BroadcastChannel, isMainThread } from 'node:worker_threads';

/*
 * Preloaded into a Lockscope under attack. SIGUSR2 ends all its worker threads, as a fault would. SIGWINCH keeps all
 * its worker threads busy for six seconds, as an endless loop would.
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
