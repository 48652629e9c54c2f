import { useEffect, useState } from 'react';

/** Copies a text and says so for a moment. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = window.setTimeout(() => setSaid(null), 2000);
    return () => window.clearTimeout(timer);
  }, [said]);
  const copy = () => {
    void copyText(text).then((isCopied) => setSaid(isCopied ? 'Copied' : 'Select the text to copy it'));
  };
  return (
    <button type="button" className="button is-small" onClick={copy}>
      <span role="status">{said ?? label}</span>
    </button>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no permission, or not a secure address
  }
}
