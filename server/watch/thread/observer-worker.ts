import { parentPort } from 'node:worker_threads';
import { MACHINE, startTimer, surroundWith } from '../../redis/connection/surroundings.ts';
import type { SourceBeat } from '../source/source-lag.ts';
import type { FromWorker } from '../source/worker-messages.ts';
import { HostedSource } from './hosted-source.ts';
import { owned, ownerNow, runFor } from './owned-work.ts';
import type { FromThread, ToThread } from './thread-messages.ts';

/**
 * A thread for several sources: it reads their Redis servers and interprets what it reads. Events, reports and answers
 * leave the thread; the stream of Redis does not.
 */
const port = parentPort;
if (!port) throw new Error('observer-worker runs as a worker thread');

/** Beats of several sources that arrive this close together are posted together: a message costs more than a beat. */
const GATHER_MS = 2;

const sources = new Map<number, HostedSource>();
/** Beats that are not posted yet. */
const beats = new Map<number, SourceBeat>();

surroundWith(owned(MACHINE));

process.on('uncaughtException', function end(error: unknown) {
  const source = ownerNow();
  if (source !== undefined) return sources.get(source)?.fail(error);
  // The error belongs to no source, so no source can be trusted: without this listener, it ends the thread.
  process.off('uncaughtException', end);
  throw error;
});

port.on('message', (message: ToThread) => {
  switch (message.type) {
    case 'beat':
      return send({ type: 'beat' });
    case 'begin':
      return runFor(message.source, () => begin(message.source, message.options));
    case 'to':
      return runFor(message.source, () => sources.get(message.source)?.take(message.message));
  }
});

function begin(source: number, options: ConstructorParameters<typeof HostedSource>[0]): void {
  const hosted = new HostedSource(
    options,
    (message) => post(source, message),
    () => sources.delete(source),
  );
  sources.set(source, hosted);
  hosted.run();
}

function post(source: number, message: FromWorker): void {
  if (message.type !== 'source-beat') return send({ type: 'from', source, message });
  if (beats.size === 0) startTimer(postBeats, GATHER_MS);
  beats.set(source, message.beat);
}

function postBeats(): void {
  const newest = [...beats];
  beats.clear();
  send({ type: 'beats', beats: newest });
}

function send(message: FromThread): void {
  const cut = message.type === 'from' && message.message.type === 'recording' ? message.message.cut : null;
  port?.postMessage(message, cut ? [cut.bytes.buffer] : []);
}
