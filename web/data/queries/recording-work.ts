import { useSyncExternalStore } from 'react';
import type { RecordingEntry, SavedBody } from '../../../shared/wire/recordings.ts';
import { openRecording, pageHref, saveLastMinutes, sendRecording } from './recordings.ts';

/** What every page shows about recordings: what is being done, what was done, or why it failed. */
export type RecordingWork =
  | { readonly state: 'reading'; readonly name: string }
  | { readonly state: 'saving' }
  | ({ readonly state: 'saved' } & Pick<SavedBody, 'recordings' | 'notSaved'>)
  | { readonly state: 'failed'; readonly name: string; readonly error: unknown };

const listeners = new Set<() => void>();
let work: RecordingWork | null = null;

/** Returns the current work; the component rerenders when it changes. */
export function useRecordingWork(): RecordingWork | null {
  return useSyncExternalStore(subscribe, () => work);
}

/** Sends files and opens the last of them: the browser leaves this page. */
export async function openFiles(files: readonly File[]): Promise<void> {
  let last: RecordingEntry | undefined;
  for (const file of files) {
    const sent = await run({ state: 'reading', name: file.name }, () => sendRecording(file));
    if (!sent) return;
    last = sent;
  }
  if (last) leaveFor(last);
}

/** Opens a recording that Lockscope keeps: the browser leaves this page. */
export async function openKept(entry: RecordingEntry): Promise<void> {
  const opened = await run({ state: 'reading', name: entry.name }, () => openRecording(entry.id));
  if (opened) leaveFor(opened);
}

/** Saves the last ten minutes. Does nothing while something else is being done. */
export async function saveNow(): Promise<void> {
  const saved = await run({ state: 'saving' }, saveLastMinutes);
  if (saved) set({ ...saved, state: 'saved' });
}

/** Closes the message. */
export function dismissWork(): void {
  set(null);
}

/** Does one thing at a time. Returns undefined if it failed, or was not begun. */
async function run<T>(now: RecordingWork, act: () => Promise<T>): Promise<T | undefined> {
  if (work?.state === 'reading' || work?.state === 'saving') return undefined;
  set(now);
  try {
    const result = await act();
    set(null);
    return result;
  } catch (error) {
    set({ state: 'failed', name: 'name' in now ? now.name : '', error });
    return undefined;
  }
}

function leaveFor(entry: RecordingEntry): void {
  window.location.assign(pageHref(entry));
}

function set(next: RecordingWork | null): void {
  work = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
