import { rename, rm } from 'node:fs/promises';
import { type FileLimits, isTextFile } from './read-file.ts';
import { openRecordingFile } from './recording-file.ts';
import { type OpenOptions, openRecording, type TextFacts } from './replay-observatory.ts';

/** Limits for a file that arrives from a browser. */
export const UPLOAD_LIMITS: FileLimits = { unpackedMb: 2048, lineMb: 16, lines: 10_000_000 };

/**
 * Replaces the text of MONITOR, which contains values of the application, by a recording of its lock signals. Leaves
 * any other file as it is. Returns what the recording no longer shows of the text. Rejects with `OpenError`, with an
 * error of the disk, or with the reason of `signal`.
 */
export async function replaceText(
  path: string,
  options: Pick<OpenOptions, 'memory' | 'read' | 'signal'>,
): Promise<TextFacts | undefined> {
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
    return opened.text;
  } finally {
    await rm(text, { force: true });
  }
}
