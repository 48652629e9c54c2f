/** Their second argument is an instant: in ms for PEXPIREAT and HPEXPIREAT, in seconds for the others. */
const EXPIRES_AT = /^H?P?EXPIREAT$/i;
/** An instant follows in ms after PXAT, in seconds after EXAT. */
const END_AT = /^[PE]XAT$/i;
/** The word for ms that replaces one for seconds. */
const IN_MS: Readonly<Record<string, string>> = { EXPIREAT: 'PEXPIREAT', HEXPIREAT: 'HPEXPIREAT', EXAT: 'PXAT' };

/**
 * The words of a command with its instant moved later by this many whole ms, for the commands of EXPIREAT's family and
 * those with an option EXAT or PXAT. Instants are times of Redis's clock, which is behind the times of our signals if it
 * once went back. An instant in seconds becomes ms, to stay exact.
 *
 *   PEXPIREAT k 1795000000000      HEXPIREAT k 1795000000 FIELDS 1 f        SET k v PXAT 1795000000000
 *   GETEX k EXAT 1795000000        HSETEX k EXAT 1795000000 FIELDS 1 f v    MSETEX 1 k v PXAT 1795000000000
 */
export function laterInstants(words: readonly string[], ms: number): readonly string[] {
  const [name = ''] = words;
  if (ms === 0) return words;
  if (EXPIRES_AT.test(name)) return laterAt(words, { unit: 0, instant: 2 }, ms);
  const isOption = optionsOf(words);
  const unit = words.findIndex((word, n) => isOption?.(n) && END_AT.test(word));
  return unit < 0 ? words : laterAt(words, { unit, instant: unit + 1 }, ms);
}

/**
 * Whether the word at a place may be an option, neither a key nor a value nor a field; undefined if the command has no
 * such options.
 */
function optionsOf(words: readonly string[]): ((place: number) => boolean) | undefined {
  switch (words[0]?.toUpperCase()) {
    case 'SET':
      return (n) => n >= 3;
    case 'GETEX':
      return (n) => n >= 2;
    case 'MSETEX':
      return (n) => n >= 2 + 2 * Number(words[1]);
    case 'HGETEX':
      return outsideFields(words, 1);
    case 'HSETEX':
      return outsideFields(words, 2);
    default:
      return undefined;
  }
}

/** `each`: how many words belong to a field after `FIELDS n`. */
function outsideFields(words: readonly string[], each: number): (place: number) => boolean {
  const from = words.findIndex((word, n) => n >= 2 && /^FIELDS$/i.test(word));
  const to = from + 2 + each * Number(words[from + 1]);
  return (n) => n >= 2 && (from < 0 || n < from || n >= to);
}

function laterAt(words: readonly string[], place: { unit: number; instant: number }, ms: number): readonly string[] {
  const instant = words[place.instant] ?? '';
  if (!/^\d{1,15}$/.test(instant)) return words;
  const inMs = IN_MS[words[place.unit]?.toUpperCase() ?? ''];
  if (inMs === undefined) return words.with(place.instant, String(Number(instant) + ms));
  return words.with(place.unit, inMs).with(place.instant, String(Number(instant) * 1000 + ms));
}
