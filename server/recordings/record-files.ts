import type { RecordingHeader } from '../../shared/recording/format.ts';
import type { OpenSink, RecordingSink } from '../watch/recording/recording-sink.ts';
import { fileOfSource, openRecordingFile } from './recording-file.ts';

/** A file that `--record` writes. */
export type RecordFile = {
  readonly path: string;
  /** Absent until the source is observed. */
  readonly header: RecordingHeader | undefined;
  readonly status: RecordingSink['status'];
};

type Writing = { path: string; header: RecordingHeader | undefined; status: RecordingSink['status'] };

/** The files that `--record FILE` writes, one per source: the first has the given name, the others get a number. */
export class RecordFiles {
  readonly #files: Writing[] = [];
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Opens the file of a source. Throws `RecordingFileError`. */
  readonly openSink: OpenSink = (index) => {
    const path = fileOfSource(this.#path, index);
    const sink = openRecordingFile(path);
    const file: Writing = { path, header: undefined, status: () => sink.status() };
    this.#files.push(file);
    return {
      begin: (header) => {
        file.header = header;
        sink.begin(header);
      },
      write: (lines, signals) => sink.write(lines, signals),
      end: (at) => sink.end(at),
      status: () => sink.status(),
      onBreak: (listener) => sink.onBreak(listener),
    };
  };

  list(): readonly RecordFile[] {
    return this.#files;
  }
}
