import { execFileSync } from 'node:child_process';
import { z } from 'zod';

const texts = z.array(z.object({ path: z.string(), english: z.string() }));
let found: ReadonlySet<string> | undefined;

/** The Latin words of all texts that have no Chinese yet, which the page shows in English. */
export function untranslatedWords(): ReadonlySet<string> {
  if (!found) {
    const list = execFileSync(process.execPath, ['scripts/missing-words.mjs', '--json'], { encoding: 'utf8' });
    found = new Set(texts.parse(JSON.parse(list)).flatMap(({ english }) => english.match(/[A-Za-z]{3,}/g) ?? []));
  }
  return found;
}
