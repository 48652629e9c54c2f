import { fileTimeText, type RedisTime } from '../../shared/base/time.ts';
import { getFile } from '../data/http/http.ts';
import type { Shareable } from './shareable.ts';

const MARGIN_MICROS = 120_000_000;

/** Starts the download of a file. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // the browser reads the address after the click has returned
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Reads the recording of a range of one source, with 2 minutes before and after it. Throws like `getJson`. */
export function readRecording(range: Shareable['range'], source: string): Promise<Blob> {
  const query = new URLSearchParams({
    from: String(Math.max(0, Math.round(range.from) - MARGIN_MICROS)),
    to: String(Math.round(range.to) + MARGIN_MICROS),
    source,
  });
  return getFile(`/api/recording?${query}`);
}

/** A file name of letters, digits and hyphens: what is shared, and its instant in UTC. */
export function fileName(name: string, at: RedisTime, ending: string): string {
  const words = name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60);
  return `${words.replace(/^-|-$/g, '') || 'lockscope'}-${fileTimeText(at)}.${ending}`;
}
