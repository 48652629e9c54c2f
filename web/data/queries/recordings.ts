import { useQuery } from '@tanstack/react-query';
import {
  type RecordingEntry,
  recordingBody,
  recordingsBody,
  type SavedBody,
  savedBody,
} from '../../../shared/wire/recordings.ts';
import { HOME_PATH } from '../../url/base-path.ts';
import { requestJson } from '../http/http.ts';

const PATH = `${HOME_PATH}/api/recordings`;
/** A file that `--record` writes grows while the page is open. */
const ASK_EVERY_MS = 5000;

export const RECORDINGS_KEY = ['recordings'];

/** The recordings that Lockscope keeps, asked for every 5 s. */
export function useRecordings() {
  return useQuery({
    queryKey: RECORDINGS_KEY,
    queryFn: ({ signal }) => requestJson(PATH, recordingsBody, { signal }),
    refetchInterval: ASK_EVERY_MS,
    retry: false,
  });
}

/** Sends a file, which is opened when it has been read. Throws like `getJson`. */
export async function sendRecording(file: File): Promise<RecordingEntry> {
  const init = { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: file };
  return (await requestJson(`${PATH}?name=${encodeURIComponent(file.name)}`, recordingBody, init)).recording;
}

/** Saves the last ten minutes of every source. Throws like `getJson`. */
export function saveLastMinutes(): Promise<SavedBody> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  return requestJson(`${PATH}/save`, savedBody, init);
}

/** Opens a recording. Throws like `getJson`. */
export async function openRecording(id: string): Promise<RecordingEntry> {
  return (await requestJson(`${PATH}/${id}/open`, recordingBody, { method: 'POST' })).recording;
}

/** Deletes a recording. Throws like `getJson`. */
export async function deleteRecording(id: string): Promise<void> {
  await requestJson(`${PATH}/${id}`, recordingsBody, { method: 'DELETE' });
}

/** Where the file of a recording is downloaded from. */
export function fileHref(id: string): string {
  return `${PATH}/${id}/file`;
}

/** Where its pages are. */
export function pageHref({ path }: Pick<RecordingEntry, 'path'>): string {
  return HOME_PATH + path;
}
