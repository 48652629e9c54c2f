import { createHash } from 'node:crypto';
import { binaryFromText } from '../../../shared/base/bytes-text.ts';
import type { LineSignal } from '../../../shared/signals/signal.ts';

/** The text was left out before. */
const LEFT_OUT = /^<script [0-9a-f]{40}>$/;
const textHashes = new Map<string, string>();

/** Replaces a script's text by its SHA1, which also identifies its version. No script's text leaves this process. */
export function withoutScriptText(line: LineSignal): LineSignal {
  if (line.client === null) return line; // a script cannot run a script
  const command = (line.words[0] ?? '').toUpperCase();
  const at = command === 'EVAL' || command === 'EVAL_RO' ? 1 : command === 'SCRIPT' && line.words.length > 2 ? 2 : 0;
  const text = line.words[at];
  if (at === 0 || text === undefined || LEFT_OUT.test(text)) return line;
  let sha = textHashes.get(text);
  if (sha === undefined) {
    sha = createHash('sha1').update(binaryFromText(text), 'latin1').digest('hex');
    if (textHashes.size >= 1000) textHashes.clear();
    if (text.length < 100_000) textHashes.set(text, sha);
  }
  return { ...line, words: line.words.with(at, `<script ${sha}>`) };
}
