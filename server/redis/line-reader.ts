import { createHash } from 'node:crypto';
import { binaryFromText } from '../../shared/base/bytes-text.ts';
import type { Result } from '../../shared/base/result.ts';
import { parseMonitorLine, type RejectedLine } from '../../shared/signals/monitor-line.ts';
import type { LineSignal } from '../../shared/signals/signal.ts';
import type { LineFilter } from './line-filter.ts';

/** Reads a MONITOR line's bytes; `other` for a line that cannot matter, of which no string is made. */
export function readLine(
  filter: LineFilter,
  buffer: Buffer,
  start: number,
  end: number,
): Result<LineSignal, RejectedLine> | 'other' {
  if (filter.interestOf(buffer, start, end) === 'other') return 'other';
  const parsed = parseMonitorLine(buffer.toString('latin1', start, end));
  return parsed.ok ? { ok: true, value: withoutScriptText(parsed.value) } : parsed;
}

const textHashes = new Map<string, string>();

/** A script's text becomes its SHA1: no script leaves this process, and versions are named by it. */
export function withoutScriptText(line: LineSignal): LineSignal {
  if (line.client === null) return line; // a script cannot run a script
  const command = (line.words[0] ?? '').toUpperCase();
  const at = command === 'EVAL' || command === 'EVAL_RO' ? 1 : command === 'SCRIPT' && line.words.length > 2 ? 2 : 0;
  const text = line.words[at];
  if (at === 0 || text === undefined) return line;
  let sha = textHashes.get(text);
  if (sha === undefined) {
    sha = createHash('sha1').update(binaryFromText(text), 'latin1').digest('hex');
    if (textHashes.size >= 1000) textHashes.clear();
    if (text.length < 100_000) textHashes.set(text, sha);
  }
  return { ...line, words: line.words.with(at, `<script ${sha}>`) };
}
