import { useEffect, useState } from 'react';
import { useWords } from '../words/language.ts';

/** Copies a text and confirms it for 2 s. If copying is not permitted, asks the user to select the text. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { common } = useWords();
  const [texts, setText] = useState<'copied' | 'selectToCopy' | null>(null);
  useEffect(() => {
    if (texts === null) return;
    const timer = window.setTimeout(() => setText(null), 2000);
    return () => window.clearTimeout(timer);
  }, [texts]);
  const copy = () => {
    void copyText(text).then((isCopied) => setText(isCopied ? 'copied' : 'selectToCopy'));
  };
  return (
    <button type="button" className="button is-small" onClick={copy}>
      <span aria-live="polite">{texts === null ? (label ?? common.copy) : common[texts]}</span>
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
