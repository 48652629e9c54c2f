import { fileName, readRecording, saveFile } from './save-file.ts';
import type { Shareable } from './shareable.ts';

/** A source whose recording was not saved. `source` is null if only one source was to be saved. */
export type NotSaved = { readonly source: string | null; readonly error: unknown };

/** Saves one file for each source, even if another source fails. Returns the sources that failed. */
export async function saveRecordings(
  { sources, range, name, at }: Pick<Shareable, 'sources' | 'range' | 'name' | 'at'>,
  read = readRecording,
  save = saveFile,
): Promise<NotSaved[]> {
  const areSeveral = sources.length > 1;
  const failed: NotSaved[] = [];
  for (const source of sources) {
    const file = areSeveral ? `${name} ${source}` : name;
    try {
      save(await read(range, source), fileName(file, at, 'lockscope'));
    } catch (error) {
      failed.push({ source: areSeveral ? source : null, error });
    }
  }
  return failed;
}
