import { textOfBytes } from '../unwrap/text-bytes.ts';
import { unwrapped } from '../unwrap/unwrap.ts';
import { DUMP } from './dump-content.ts';
import { bodyOf } from './unwrap-dump.ts';

/**
 * Whether the first characters of a file look like a dump of threads, however it is wrapped, and not like a recording
 * or lines of MONITOR.
 */
export function looksLikeDump(text: string): boolean {
  const head = bodyOf(text);
  const isOther = /^\s{0,100}\{"lockscope"|\d\.\d{6} \[\d{1,9} \S{1,300}\] \\{0,2}"/.test(head);
  return (
    !isOther &&
    (/Full thread dump |^[^\n]{0,400}(?:3XMTHREADINFO|0SECTION {1,20}TITLE )/m.test(head) ||
      unwrapped(head, DUMP) !== undefined)
  );
}

/** As `looksLikeDump`, for the first bytes of a file. */
export function beginsAsDump(bytes: Uint8Array): boolean {
  return looksLikeDump(textOfBytes(bytes).text);
}
