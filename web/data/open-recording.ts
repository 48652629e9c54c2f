import type { Source } from '../../shared/wire/source.ts';

/** The recording that is open; null where something is watched live, or played as if it were. */
export function openRecordingOf(sources: readonly Source[]): NonNullable<Source['recording']> | null {
  const recording = sources[0]?.recording;
  return recording && !recording.playing ? recording : null;
}

/** True where all there is stands in a file. */
export function isOpenRecording(sources: readonly Source[]): boolean {
  return openRecordingOf(sources) !== null;
}
