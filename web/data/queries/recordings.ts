import { useQuery } from '@tanstack/react-query';
import type {
  RecordingEntry,
  recordingBody,
  recordingsBody,
  SavedBody,
  savedBody,
} from '../../../shared/wire/recordings.ts';
import { HOME_PATH } from '../../url/base-path.ts';
import { requestJson } from '../http/http.ts';

const PATH = `${HOME_PATH}/api/recordings`;
/** The list is read again, because a file that `--record` writes grows while the page is open. */
const ASK_EVERY_MS = 5000;

export const RECORDINGS_KEY = ['recordings'];

/** The recordings that Lockscope keeps, asked for every 5 s. */
export function useRecordings() {
  return useQuery({
    queryKey: RECORDINGS_KEY,
    queryFn: ({ signal }) => requestJson<typeof recordingsBody>(PATH, { signal }),
    refetchInterval: ASK_EVERY_MS,
    retry: false,
  });
}

/** Sends a file, which is opened when it has been read. Throws like `getJson`. */
export async function sendRecording(file: File): Promise<RecordingEntry> {
  const init = { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: file };
  return (await requestJson<typeof recordingBody>(`${PATH}?name=${encodeURIComponent(file.name)}`, init)).recording;
}

/** Saves the last ten minutes of every source. Throws like `getJson`. */
export function saveLastMinutes(): Promise<SavedBody> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  return requestJson<typeof savedBody>(`${PATH}/save`, init);
}

/** Opens a recording. Throws like `getJson`. */
export async function openRecording(id: string): Promise<RecordingEntry> {
  return (await requestJson<typeof recordingBody>(`${PATH}/${id}/open`, { method: 'POST' })).recording;
}

/** Deletes a recording. Throws like `getJson`. */
export async function deleteRecording(id: string): Promise<void> {
  await requestJson<typeof recordingsBody>(`${PATH}/${id}`, { method: 'DELETE' });
}

/** Where the file of a recording is downloaded from. */
export function fileHref(id: string): string {
  return `${PATH}/${id}/file`;
}

export function pageHref({ path }: Pick<RecordingEntry, 'path'>): string {
  return HOME_PATH + path;
}
