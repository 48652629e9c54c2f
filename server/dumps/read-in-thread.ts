import { Worker } from 'node:worker_threads';
import { fail, ok, type Result } from '../../shared/base/result.ts';
import type { DumpFault, DumpThread } from '../../shared/dumps/thread-dump.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import { PROGRAMS } from '../package-info.ts';
import type { FromDumpWorker } from './dump-messages.ts';
import { DumpProblem } from './dump-problem.ts';
import type { DumpRead } from './read-dump.ts';

const WITHIN_MS = 30_000;
const HEAP_MB = 160;

/** Reads a dump in a thread of its own. Rejects with `DumpProblem` if that takes too long or too much memory. */
export function readInThread(bytes: Uint8Array): Promise<Result<DumpRead, DumpFault>> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(PROGRAMS.dumpReader, {
      workerData: bytes,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    const frames: string[] = [];
    const threads: DumpThread[] = [];
    const tooMuch = () => reject(new DumpProblem(422, problem('thread-dump-too-much'), 'body'));
    const timer = setTimeout(() => {
      tooMuch();
      void worker.terminate();
    }, WITHIN_MS);
    worker.on('message', (message: FromDumpWorker) => {
      if (message.type === 'frames') frames.push(...message.frames);
      else if (message.type === 'threads') threads.push(...message.threads);
      else if (message.type === 'fault') resolve(fail(message.fault));
      else resolve(ok({ ...message.figures, dump: { ...message.facts, threads, frames } }));
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') tooMuch();
      else reject(error);
    });
    worker.on('exit', () => {
      clearTimeout(timer);
      tooMuch(); // without effect if the thread has answered
    });
  });
}
