import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

/*
 * Preloaded into a Lockscope under attack. `LOCKSCOPE_FAULT_PORT` names a Redis server. After SIGUSR2, handling the
 * next bytes of that server throws in its thread. After SIGWINCH, the thread that is connected to it takes all the
 * memory that it may.
 */

const port = Number(process.env.LOCKSCOPE_FAULT_PORT);
const channel = new BroadcastChannel('fault');
channel.unref();

if (isMainThread) {
  process.on('SIGUSR2', () => channel.postMessage('throw'));
  process.on('SIGWINCH', () => channel.postMessage('fill'));
} else {
  let fault;
  let isConnected = false;
  channel.onmessage = ({ data }) => {
    if (!isConnected) return;
    if (data === 'fill') for (const kept = []; ; ) kept.push(new Array(100_000).fill(kept));
    fault = data;
  };
  const { connect } = net;
  net.connect = (options, ...more) => {
    if (options?.port !== port || !options.onread) return connect(options, ...more);
    isConnected = true;
    const { buffer, callback } = options.onread;
    const faulty = (bytes, into) => {
      const goesOn = callback(bytes, into); // called first, because there the product records for which source it works
      if (fault !== 'throw') return goesOn;
      fault = undefined;
      throw new Error('a fault of the test');
    };
    return connect({ ...options, onread: { buffer, callback: faulty } }, ...more);
  };
  syncBuiltinESMExports();
}
