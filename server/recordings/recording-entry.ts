import type { RecordingEntry } from '../../shared/wire/recordings.ts';
import type { RecordFile } from './record-files.ts';
import type { RecordingSummary, TextFacts } from './replay-observatory.ts';

/**
 * A recording on disk. `name` is for people. The file itself has a name that the store chose, or that of `--record`.
 */
export type Kept = {
  readonly id: string;
  readonly name: string;
  readonly origin: RecordingEntry['origin'];
  readonly path: string;
  readonly bytes: number;
  /** What is known only from the text that the recording was made from; absent: it was not made from a text. */
  readonly text?: TextFacts;
};

type Known = {
  /** Absent: the file was not read yet. */
  readonly summary: RecordingSummary | undefined;
  /** The file of `--record`; undefined: this is another recording. */
  readonly record: RecordFile | undefined;
  readonly isOpen: boolean;
};

/** A recording as the API lists it. While it is written, its end and its contents are not known. */
export function entryOf({ id, name, origin, bytes }: Kept, { summary, record, isOpen }: Known): RecordingEntry {
  const isWriting = isBeingWritten(record);
  const source = summary?.source ?? record?.header?.source;
  return {
    id,
    name,
    origin,
    path: `/recordings/${id}/`,
    bytes,
    source: source ? { id: source.id, url: source.url, redisVersion: source.redisVersion, level: source.level } : null,
    startedAt: summary?.startedAt ?? record?.header?.startedAt ?? null,
    endsAt: isWriting ? null : (summary?.endsAt ?? null),
    events: isWriting ? null : (summary?.events ?? null),
    cutShort: isWriting ? null : (summary?.cutShort ?? null),
    isText: source?.isText === true,
    badLines: summary?.badLines ?? 0,
    isOpen,
    isWriting,
  };
}

/** Whether a file of `--record` still grows. */
function isBeingWritten(record: RecordFile | undefined): boolean {
  const state = record?.status().state;
  return state === 'waiting' || state === 'writing';
}
