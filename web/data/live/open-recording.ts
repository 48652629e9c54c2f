import type { Source } from '../../../shared/wire/source.ts';

/** Returns the opened recording; null while live, and while a recording is played like a live source. */
export function openRecordingOf(sources: readonly Source[]): NonNullable<Source['recording']> | null {
  const recording = sources[0]?.recording;
  return recording && !recording.playing ? recording : null;
}

/** True if the page shows an opened recording, in which nothing changes. */
export function isOpenRecording(sources: readonly Source[]): boolean {
  return openRecordingOf(sources) !== null;
}
