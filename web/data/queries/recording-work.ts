import { useSyncExternalStore } from 'react';
import { Changing } from '../../../shared/base/changing.ts';
import type { RecordingEntry, SavedBody } from '../../../shared/wire/recordings.ts';
import { openRecording, pageHref, saveLastMinutes, sendRecording } from './recordings.ts';

/** What every page shows about recordings: what is being done, what was done, or why it failed. */
export type RecordingWork =
  | { readonly state: 'reading'; readonly name: string }
  | { readonly state: 'saving' }
  | ({ readonly state: 'saved' } & Pick<SavedBody, 'recordings' | 'notSaved'>)
  | { readonly state: 'failed'; readonly name: string; readonly error: unknown };

const work = new Changing<RecordingWork | null>(null);

/** Returns the current work; the component rerenders when it changes. */
export function useRecordingWork(): RecordingWork | null {
  return useSyncExternalStore(work.subscribe, work.get);
}

/** Sends files and opens the last of them: the browser leaves this page. If one fails, the later ones are not sent. */
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
  if (saved) work.set({ ...saved, state: 'saved' });
}

/** Closes the message. */
export function dismissWork(): void {
  work.set(null);
}

/** Runs `act` and shows `now` meanwhile. Returns undefined if it failed, or was not begun because other work runs. */
async function run<T>(now: RecordingWork, act: () => Promise<T>): Promise<T | undefined> {
  const before = work.get();
  if (before?.state === 'reading' || before?.state === 'saving') return undefined;
  work.set(now);
  try {
    const result = await act();
    work.set(null);
    return result;
  } catch (error) {
    work.set({ state: 'failed', name: 'name' in now ? now.name : '', error });
    return undefined;
  }
}

function leaveFor(entry: RecordingEntry): void {
  window.location.assign(pageHref(entry));
}
