import { parentPort, workerData } from 'node:worker_threads';
import { piecesOf } from './dump-messages.ts';
import { readDump } from './read-dump.ts';

/** The thread that reads one dump: 20 MB of text would stop everything else for too long. */
const port = parentPort;
if (!port) throw new Error('dump-worker runs as a worker thread');

const read = readDump(workerData as Uint8Array); // only readInThread starts this worker
if (read.ok) for (const piece of piecesOf(read.value)) port.postMessage(piece);
else port.postMessage({ type: 'fault', fault: read.error });
