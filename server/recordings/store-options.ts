import type { Observatory } from '../watch/observatory.ts';
import type { ReadFile } from './read-file.ts';
import type { RecordFiles } from './record-files.ts';

/** What serves an open recording: the pages, the API and the live channel under its path. */
export type Mount = {
  /** The number of pages that are connected to the recording. */
  pages(): number;
  /** Closes the recording, and reports that to its pages. */
  close(name: string): Promise<void>;
};

export type StoreOptions<M extends Mount> = {
  /**
   * How many recordings may be open at once, and the memory limit of each, which is divided like that of a whole
   * process.
   */
  readonly open: { readonly most: number; readonly memoryEach: number };
  readonly records: RecordFiles | undefined;
  /** Reads the files of recordings; absent: in this thread. */
  readonly read?: ReadFile | undefined;
  mount(id: string, observatory: Observatory): M;
};
