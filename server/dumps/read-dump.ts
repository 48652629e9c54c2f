import { fail, type Result } from '../../shared/base/result.ts';
import { parseDump } from '../../shared/dumps/parse-dump.ts';
import type { DumpFault, DumpThread, ThreadDump } from '../../shared/dumps/thread-dump.ts';

/** Reads the bytes of a dump: UTF-8, or UTF-16 with its mark, as Windows consoles write it. */
export function readDump(bytes: Uint8Array): Result<ThreadDump, DumpFault> {
  const [first, second] = bytes;
  const encoding = first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8';
  try {
    return parseDump(new TextDecoder(encoding).decode(bytes));
  } catch (error) {
    if (error instanceof RangeError) return fail('not-a-dump'); // nested too deeply
    throw error;
  }
}

/** About how many bytes of memory a dump takes. */
export function sizeOf({ threads, frames }: Pick<ThreadDump, 'threads' | 'frames'>): number {
  const ofFrames = frames.reduce((sum, frame) => sum + 2 * frame.length + 32, 0);
  return threads.reduce((sum, thread) => sum + sizeOfThread(thread), ofFrames);
}

function sizeOfThread({ name, stack }: DumpThread): number {
  return 300 + 2 * name.length + 8 * stack.length;
}
