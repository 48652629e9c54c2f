import { open } from 'node:fs/promises';

/** The pieces of a file, in order. */
export type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Writes a new file that only this user may read. Rejects if it exists, or if the disk reports an error. */
export async function writeNew(path: string, bytes: Bytes): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const piece of bytes) {
      let rest = piece;
      while (rest.length > 0) rest = rest.subarray((await file.write(rest)).bytesWritten);
    }
  } finally {
    await file.close();
  }
}
