import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import type { RecordedSignal, RecordingProblem } from '../../shared/recording/format.ts';
import { NOT_A_RECORDING, RecordingReader } from '../../shared/recording/read-recording.ts';

/** A recording that cannot be opened: what is wrong and what to do. */
export class OpenError extends Error {
  readonly problem: RecordingProblem;

  constructor(path: string, problem: RecordingProblem) {
    super(`${basename(path)}: ${problem.message} ${problem.hint}`);
    this.problem = problem;
  }
}

const LONGEST_LINE = 64 * 1024 * 1024;

/**
 * Reads a recording's file and gives every signal to `take`, in order, the header being read by then.
 *
 * A file that ends in the middle is read up to there. Rejects with `OpenError` where nothing can be read.
 */
export async function readRecordingFile(
  path: string,
  take: (signal: RecordedSignal, reader: RecordingReader) => void,
): Promise<RecordingReader> {
  const reader = new RecordingReader();
  const addLine = (line: string) => {
    const read = reader.add(line);
    if (!read.ok) throw new OpenError(path, read.error);
    if (read.value) take(read.value, reader);
  };
  let rest = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of await bytesOf(path)) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      if (!reader.header && lines.length === 0 && rest.length > 1_000_000) throw new OpenError(path, NOT_A_RECORDING);
      if (rest.length > LONGEST_LINE) throw new OpenError(path, NOT_A_RECORDING);
      for (const line of lines) addLine(line);
      await new Promise((resolve) => setImmediate(resolve)); // a long file must not hold up signals
    }
  } catch (error) {
    if (error instanceof OpenError) throw error;
    // Cut or damaged from here on: what was read before stays.
    if (!reader.header) throw new OpenError(path, problemOfFile(error));
    return reader;
  }
  // A last line without its end is complete only when it can be read.
  if (rest !== '' && (!reader.header || isJson(rest))) addLine(rest);
  if (!reader.header) throw new OpenError(path, NOT_A_RECORDING);
  return reader;
}

/** The bytes of the NDJSON, unpacked where the file is packed. */
async function bytesOf(path: string): Promise<AsyncIterable<Buffer>> {
  const file = await open(path).catch((error: unknown) => {
    throw new OpenError(path, problemOfFile(error));
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    const isPacked = bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
    const bytes = createReadStream(path);
    if (!isPacked) return bytes;
    const unpacked = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
    pipeline(bytes, unpacked, () => {}); // an error reaches whoever reads `unpacked`
    return unpacked;
  } catch (error) {
    throw new OpenError(path, problemOfFile(error));
  } finally {
    await file.close();
  }
}

function problemOfFile(error: unknown): RecordingProblem {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') {
    return { code: 'unreadable', message: 'There is no such file.', hint: 'Check its name and folder.' };
  }
  if (code === 'EISDIR') {
    return { code: 'unreadable', message: 'That is a folder.', hint: 'Name the file in it.' };
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return { code: 'unreadable', message: 'That file may not be read.', hint: 'Allow it, or copy the file.' };
  }
  return NOT_A_RECORDING;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
