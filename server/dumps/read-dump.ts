import { fail, ok, type Result } from '../../shared/base/result.ts';
import { isWaitingInRedisson } from '../../shared/dumps/frames.ts';
import { parseDump } from '../../shared/dumps/parse-dump.ts';
import type { DumpFault, DumpThread, ThreadDump } from '../../shared/dumps/thread-dump.ts';

/** A dump, about how many bytes of memory it takes, and the number of threads that wait inside a call of Redisson. */
export type DumpRead = { readonly dump: ThreadDump; readonly bytes: number; readonly waiting: number };

/** Reads the bytes of a dump: UTF-8, or UTF-16 with its mark, as Windows consoles write it. */
export function readDump(bytes: Uint8Array): Result<DumpRead, DumpFault> {
  const read = parsed(bytes);
  if (!read.ok) return read;
  const dump = read.value;
  const waiting = dump.threads.filter((thread) => isWaitingInRedisson(dump, thread)).length;
  return ok({ dump, bytes: sizeOf(dump), waiting });
}

function parsed(bytes: Uint8Array): Result<ThreadDump, DumpFault> {
  const [first, second] = bytes;
  const encoding = first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8';
  try {
    return parseDump(new TextDecoder(encoding).decode(bytes));
  } catch (error) {
    if (error instanceof RangeError) return fail('not-a-dump'); // nested too deeply
    throw error;
  }
}

function sizeOf({ threads, frames }: Pick<ThreadDump, 'threads' | 'frames'>): number {
  const ofFrames = frames.reduce((sum, frame) => sum + 2 * frame.length + 32, 0);
  return threads.reduce((sum, thread) => sum + sizeOfThread(thread), ofFrames);
}

function sizeOfThread({ name, stack }: DumpThread): number {
  return 300 + 2 * name.length + 8 * stack.length;
}
