/** A text between quotes, decoded, and the name of the field before it: `"log":"…"`, `"log"=>"…"`, `msg="…"`. */
type Literal = { readonly key: string | null; readonly value: string };

/**
 * The quoted texts in JSON or in `key="value"` lines, without the names of fields. It looks at quotes only, so a part
 * of a document is enough. Takes linear time for any text.
 */
export function* literalsIn(text: string): Generator<Literal> {
  let key: string | null = null;
  let lineEnd = endOfLine(text, 0);
  for (let open = text.indexOf('"'); open >= 0; ) {
    if (open > lineEnd) lineEnd = endOfLine(text, open);
    const close = closingQuote(text, open, lineEnd);
    if (close < 0) {
      open = text.indexOf('"', lineEnd); // a text of JSON ends on its line
      continue;
    }
    const value = decoded(text.slice(open + 1, close));
    if (/^\s{0,20}(?::|=>)/.test(text.slice(close + 1, close + 23))) key = value;
    else {
      const named = /([\w.@-]{1,80})=$/.exec(text.slice(Math.max(0, open - 81), open))?.[1];
      yield { key: named ?? key, value };
    }
    open = text.indexOf('"', close + 1);
  }
}

/** The place of the quote that ends a text on its line; -1 without one. */
function closingQuote(text: string, open: number, lineEnd: number): number {
  for (let at = text.indexOf('"', open + 1); at >= 0 && at < lineEnd; at = text.indexOf('"', at + 1)) {
    let slash = at - 1;
    while (text[slash] === '\\') slash--;
    if ((at - 1 - slash) % 2 === 0) return at;
  }
  return -1;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

const SHORT: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** A text with its escapes decoded: those of JSON or, if it is not JSON, the usual ones. */
export function decoded(escaped: string): string {
  if (!escaped.includes('\\')) return escaped;
  try {
    const value: unknown = JSON.parse(`"${escaped.replaceAll('\t', '\\t')}"`);
    return typeof value === 'string' ? value : escaped;
  } catch {
    return escaped.replace(/\\([nrt"\\/])/g, (_, letter: string) => SHORT[letter] ?? letter);
  }
}
