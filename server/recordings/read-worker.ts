import { parentPort, workerData } from 'node:worker_threads';
import { type FileFacts, OpenError, readRecordingFile } from './read-file.ts';
import { type FromReader, MOST_AHEAD, type ReadTask } from './read-messages.ts';

/** The thread that reads one recording: whatever the file contains, it costs no more than the limits of this thread. */
const port = parentPort;
if (!port) throw new Error('read-worker runs as a worker thread');

const { path, limits } = workerData as ReadTask; // only readInThread starts this worker
let signals: (FromReader & { type: 'signals' })['signals'][number][] = [];
let ahead = 0;
let goOn: () => void = () => undefined;

port.on('message', () => {
  ahead--;
  goOn();
});

function post(
  type: 'signals' | 'end',
  { header, end, isCutShort, signals: count, badCount, badLines, skipped }: FileFacts,
): void {
  const facts = { header, end, isCutShort, signals: count, badCount, badLines, skipped };
  port?.postMessage({ type, signals, facts } satisfies FromReader);
  signals = [];
  ahead++;
}

/** Posts what was read, and waits while too much of it is not processed yet. */
async function pause(facts: FileFacts): Promise<void> {
  if (signals.length > 0) post('signals', facts);
  if (ahead >= MOST_AHEAD) await new Promise<void>((resolve) => (goOn = resolve));
}

try {
  post('end', await readRecordingFile(path, (signal) => void signals.push(signal), { limits }, pause));
} catch (error) {
  if (!(error instanceof OpenError)) throw error;
  port.postMessage({ type: 'fault', problem: error.problem } satisfies FromReader);
} finally {
  port.close();
}
