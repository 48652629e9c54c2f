import { useEffect } from 'react';
import { addDump, isDump } from '../data/queries/dump-work.ts';
import { isTyping } from '../keys/key-map.ts';

/** Adds a thread dump that is pasted anywhere on the page, but not into a field. */
export function PasteTarget() {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const text = isTyping(event.target) ? '' : (event.clipboardData?.getData('text/plain') ?? '');
      if (text !== '') void addIfDump(new Blob([text]));
    };
    window.addEventListener('paste', onPaste);
    return () => window.removeEventListener('paste', onPaste);
  }, []);
  return null;
}

async function addIfDump(text: Blob): Promise<void> {
  if (await isDump(text)) await addDump(text, null);
}
