import type { DumpFault, DumpThread, ThreadDump } from '../../shared/dumps/thread-dump.ts';
import type { DumpRead } from './read-dump.ts';

/** What the thread that reads a dump answers: the dump in pieces, so that no piece takes long to receive. */
export type FromDumpWorker =
  | { readonly type: 'frames'; readonly frames: readonly string[] }
  | { readonly type: 'threads'; readonly threads: readonly DumpThread[] }
  | {
      readonly type: 'end';
      readonly facts: Omit<ThreadDump, 'threads' | 'frames'>;
      readonly figures: Omit<DumpRead, 'dump'>;
    }
  | { readonly type: 'fault'; readonly fault: DumpFault };

const MOST_FRAMES = 5000;
const MOST_THREADS = 500;
const MOST_CALLS = 20_000;

/** Divides a dump into messages. */
export function* piecesOf({ dump: { frames, threads, ...facts }, ...figures }: DumpRead): Generator<FromDumpWorker> {
  for (let n = 0; n < frames.length; n += MOST_FRAMES)
    yield { type: 'frames', frames: frames.slice(n, n + MOST_FRAMES) };
  let part: DumpThread[] = [];
  let calls = 0;
  for (const thread of threads) {
    part.push(thread);
    calls += thread.stack.length;
    if (part.length < MOST_THREADS && calls < MOST_CALLS) continue;
    yield { type: 'threads', threads: part };
    part = [];
    calls = 0;
  }
  yield { type: 'threads', threads: part };
  yield { type: 'end', facts, figures };
}
