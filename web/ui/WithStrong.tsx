/** Shows a sentence with `strong` in bold, at whatever position the language puts it. */
export function WithStrong({ text, strong }: { text: string; strong: string }) {
  const at = text.indexOf(strong);
  if (at === -1) return text;
  return (
    <>
      {text.slice(0, at)}
      <b>{strong}</b>
      {text.slice(at + strong.length)}
    </>
  );
}
