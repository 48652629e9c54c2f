import { rename, rm } from 'node:fs/promises';
import { type FileLimits, isTextFile } from './read-file.ts';
import { openRecordingFile } from './recording-file.ts';
import { type BadLines, type OpenOptions, openRecording } from './replay-observatory.ts';

/** Limits for a file that arrives from a browser. */
export const UPLOAD_LIMITS: FileLimits = { unpackedMb: 2048, lineMb: 16, lines: 10_000_000 };

/**
 * Replaces the text of MONITOR, which contains values of the application, by a recording of its lock signals. Leaves any
 * other file as it is. Returns the lines of the text that could not be read, which the recording no longer has. Rejects with
 * `OpenError`, with the fault of the disk, and with the reason of `signal`.
 */
export async function withoutText(
  path: string,
  options: Pick<OpenOptions, 'memory' | 'read' | 'signal'>,
): Promise<BadLines | undefined> {
  if (!(await isTextFile(path))) return undefined;
  const text = `${path}.text`;
  await rename(path, text);
  try {
    const sink = openRecordingFile(path);
    const opened = await openRecording(text, { ...options, limits: UPLOAD_LIMITS, sink }).finally(() =>
      sink.end(undefined),
    );
    const { state, problem } = sink.status();
    if (state === 'failed') throw Object.assign(new Error(problem?.message), { code: 'ENOSPC' });
    return opened.badLines;
  } finally {
    await rm(text, { force: true });
  }
}
