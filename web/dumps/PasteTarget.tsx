import { useEffect } from 'react';
import { looksLikeDump } from '../../shared/dumps/looks-like-dump.ts';
import { addDump } from '../data/queries/dump-work.ts';
import { isTyping } from '../keys/key-map.ts';

const HEAD = 262_144;

/** Adds a thread dump that is pasted anywhere on the page, but not into a field. */
export function PasteTarget() {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      if (isTyping(event.target)) return;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (!looksLikeDump(text.slice(0, HEAD))) return;
      event.preventDefault();
      void addDump(new Blob([text]), null);
    };
    window.addEventListener('paste', onPaste);
    return () => window.removeEventListener('paste', onPaste);
  }, []);
  return null;
}
