import type { RecordingHeader } from '../../../shared/recording/format.ts';
import type { Source } from '../../../shared/wire/source.ts';

/** The file that a source's recording is written to while it is made. No method throws: `status` reports failures. */
export type RecordingSink = {
  /** Called once, before the first signal. */
  begin(header: RecordingHeader): void;
  /** Takes whole lines, each with its line end. `signals`: how many signals they have. */
  write(lines: string, signals: number): void;
  /** Closes the recording; without `at`, nothing was ever seen. */
  end(at: number | undefined): Promise<void>;
  status(): NonNullable<Source['recorder']>;
  /** Calls `listener` whenever the recording breaks off. */
  onBreak(listener: () => void): void;
};

/** Opens the sink of the source with this index on the command line. */
export type OpenSink = (index: number) => RecordingSink;

/** A recording cut from memory: gzip NDJSON. */
export type RecordingCut = { readonly startedAt: number; readonly bytes: Uint8Array<ArrayBuffer> };
