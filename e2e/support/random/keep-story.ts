import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Writes everything that was seen and reported to a file, for debugging a difference. Returns its path. */
export function keepStory(story: object): string {
  const file = join(mkdtempSync(join(tmpdir(), 'lockscope-random-')), 'story.json');
  writeFileSync(file, JSON.stringify(story));
  return file;
}
