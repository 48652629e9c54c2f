import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpenError, readRecordingFile } from '../read-file.ts';

/** A text of MONITOR as a server writes it: 30 lines. */
export const BARE = readFileSync(new URL('../../../shared/traces/texts/monitor.compose.txt', import.meta.url), 'utf8')
  .replaceAll('redis-1  | ', '')
  .trimEnd();
export const LINES = BARE.split('\n');
/** The lines of a recording, without the compression of its file. */
export const RECORDED = '{"lockscope":"recording","format":1}\n{"at":1000001,"db":0,"from":"c:1","do":["DEL","a"]}';

/**
 * Reads a text as a file. Returns the lines that are found, each as a text, and the number of bad lines; or why the
 * text is refused.
 */
export async function readIn(text: string | Buffer) {
  const dir = mkdtempSync(join(tmpdir(), 'lockscope-test-'));
  const path = join(dir, 'a.txt');
  writeFileSync(path, text);
  const lines: string[] = [];
  try {
    const { badCount } = await readRecordingFile(path, (signal) => {
      if (signal.kind === 'line') lines.push(`${signal.at} ${signal.db} ${signal.client} ${signal.words.join(' ')}`);
    });
    return { lines, badCount };
  } catch (error) {
    if (!(error instanceof OpenError)) throw error;
    return { code: error.problem.code, values: error.problem.values };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** A text with each of its lines changed. */
export const each = (change: (line: string, n: number) => string, text = BARE) =>
  text.split('\n').map(change).join('\n');
/** A line of MONITOR at a certain second. */
export const second = (n: number, rest: string) => `179500000${n}.000001 ${rest}`;
/** A text as quoted-printable. */
export const printable = (text: string) =>
  text
    .replaceAll('=', '=3D')
    .split('\n')
    .map((line) => line.replace(/.{75}(?=.)/g, '$&=\n'))
    .join('\n');
export const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\n');
