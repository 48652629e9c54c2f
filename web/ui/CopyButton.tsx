import { useEffect, useState } from 'react';
import { useWords } from '../words/language.ts';

/** Copies a text and confirms it for 2 s. If copying is not permitted, asks the reader to select the text. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { common } = useWords();
  const [said, setSaid] = useState<'copied' | 'selectToCopy' | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = window.setTimeout(() => setSaid(null), 2000);
    return () => window.clearTimeout(timer);
  }, [said]);
  const copy = () => {
    void copyText(text).then((isCopied) => setSaid(isCopied ? 'copied' : 'selectToCopy'));
  };
  return (
    <button type="button" className="button is-small" onClick={copy}>
      <span aria-live="polite">{said === null ? (label ?? common.copy) : common[said]}</span>
    </button>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no permission, or the page is not served over HTTPS or from localhost
  }
}
