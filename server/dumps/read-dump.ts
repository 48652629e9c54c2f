import { gunzipSync } from 'node:zlib';
import { fail, ok, type Result } from '../../shared/base/result.ts';
import { isWaitingInRedisson } from '../../shared/dumps/frames.ts';
import { parseDump } from '../../shared/dumps/parse-dump.ts';
import type { DumpFault, DumpThread, ThreadDump } from '../../shared/dumps/thread-dump.ts';
import { fileKindOf } from '../../shared/unwrap/file-kinds.ts';
import { textOfBytes } from '../../shared/unwrap/text-bytes.ts';

/** A dump, about how many bytes of memory it takes, and the number of threads that wait inside a call of Redisson. */
export type DumpRead = { readonly dump: ThreadDump; readonly bytes: number; readonly waiting: number };

/** Reads the bytes of a dump, also if they are packed with gzip. */
export function readDump(bytes: Uint8Array): Result<DumpRead, DumpFault> {
  const read = parsed(bytes);
  if (!read.ok) return read;
  const dump = read.value;
  const waiting = dump.threads.filter((thread) => isWaitingInRedisson(dump, thread)).length;
  return ok({ dump, bytes: sizeOf(dump), waiting });
}

function parsed(bytes: Uint8Array): Result<ThreadDump, DumpFault> {
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? unpacked(bytes) : bytes;
  const kind = fileKindOf(plain);
  if (kind && kind !== 'encoded') return fail(kind); // the source of a mail is decoded
  const { text, encoding } = textOfBytes(plain);
  try {
    return parseDump(text, encoding === 'utf-8' ? [] : [encoding]);
  } catch (error) {
    if (error instanceof RangeError) return fail('not-a-dump'); // nested too deeply
    throw error;
  }
}

/** Returns the bytes unchanged if they cannot be unpacked, or would be too large. */
function unpacked(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_UNPACKED });
  } catch {
    return bytes;
  }
}

const MOST_UNPACKED = 20 * 1024 * 1024;

function sizeOf({ threads, frames }: Pick<ThreadDump, 'threads' | 'frames'>): number {
  const ofFrames = frames.reduce((sum, frame) => sum + 2 * frame.length + 32, 0);
  return threads.reduce((sum, thread) => sum + sizeOfThread(thread), ofFrames);
}

function sizeOfThread({ name, stack }: DumpThread): number {
  return 300 + 2 * name.length + 8 * stack.length;
}
