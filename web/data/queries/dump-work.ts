import { useSyncExternalStore } from 'react';
import { Changing } from '../../../shared/base/changing.ts';
import type { DumpEntry } from '../../../shared/wire/dumps.ts';
import { sendDump } from './thread-dumps.ts';

/** The state of the open dialog about thread dumps: what is being done in it, or was done last. */
export type DumpWork =
  | { readonly state: 'open' }
  | { readonly state: 'reading' }
  | { readonly state: 'added'; readonly dump: DumpEntry }
  | { readonly state: 'failed'; readonly error: unknown };

const work = new Changing<DumpWork | null>(null);

/** Returns the state of the dialog, null while it is closed; the component rerenders when it changes. */
export function useDumpWork(): DumpWork | null {
  return useSyncExternalStore(work.subscribe, work.get);
}

export function openDumps(): void {
  work.set({ state: 'open' });
}

export function closeDumps(): void {
  work.set(null);
}

/** Adds a dump and opens the dialog. Does nothing while another one is being read. */
export async function addDump(bytes: Blob, name: string | null): Promise<void> {
  if (work.get()?.state === 'reading') return;
  work.set({ state: 'reading' });
  try {
    work.set({ state: 'added', dump: await sendDump(bytes, name) });
  } catch (error) {
    work.set({ state: 'failed', error });
  }
}

const HEAD_BYTES = 262_144;

/** Whether a file or a text begins as a thread dump does. False if the code that recognises one cannot be loaded. */
export async function isDump(file: Blob): Promise<boolean> {
  const dumps = await import('../../../shared/dumps/looks-like-dump.ts').catch(() => undefined);
  return dumps?.beginsAsDump(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer())) ?? false;
}
