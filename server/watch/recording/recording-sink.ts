import type { RecordingHeader } from '../../../shared/recording/format.ts';
import type { Source } from '../../../shared/wire/source.ts';

/** What a source's recording is written to while it is made. Nothing of it throws: its status says how it fares. */
export type RecordingSink = {
  /** Called once, before the first signal. */
  begin(header: RecordingHeader): void;
  /** Takes whole lines, each with its line end, that hold so many signals. */
  write(lines: string, signals: number): void;
  /** Closes the recording; without `at`, nothing was ever seen. */
  end(at: number | undefined): Promise<void>;
  status(): NonNullable<Source['recorder']>;
  /** Called whenever the recording breaks off. */
  onBreak(listener: () => void): void;
};

/** Opens the sink of the source at that place of the command line. */
export type OpenSink = (index: number) => RecordingSink;

/** A recording cut from memory: gzip NDJSON. */
export type RecordingCut = { readonly startedAt: number; readonly bytes: Uint8Array<ArrayBuffer> };
