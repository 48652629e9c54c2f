/** Their second argument is an instant: in ms for PEXPIREAT, in seconds for EXPIREAT. */
const EXPIRES_AT = /^P?EXPIREAT$/i;
/** They may have an option of `END_AT`, which an instant follows: in ms after PXAT, in seconds after EXAT. */
const HAS_OPTIONS = /^(SET|GETEX)$/i;
const END_AT = /^[PE]XAT$/i;
/** The word for ms that replaces one for seconds. */
const IN_MS: Readonly<Record<string, string>> = { EXPIREAT: 'PEXPIREAT', EXAT: 'PXAT' };

/**
 * The words of a command with its instant moved later by this many whole ms, for EXPIREAT, PEXPIREAT, SET and GETEX.
 * Instants are times of Redis's clock, which is behind the times of our signals if it once went back. An instant in
 * seconds becomes ms, to stay exact.
 *
 *   PEXPIREAT k 1795000000000     EXPIREAT k 1795000000     SET k v PXAT 1795000000000     GETEX k EXAT 1795000000
 */
export function laterInstants(words: readonly string[], ms: number): readonly string[] {
  const [name = ''] = words;
  if (ms === 0) return words;
  if (EXPIRES_AT.test(name)) return laterAt(words, { unit: 0, instant: 2 }, ms);
  if (!HAS_OPTIONS.test(name)) return words;
  const first = /^SET$/i.test(name) ? 3 : 2;
  const unit = words.findIndex((word, n) => n >= first && END_AT.test(word));
  return unit < 0 ? words : laterAt(words, { unit, instant: unit + 1 }, ms);
}

function laterAt(words: readonly string[], place: { unit: number; instant: number }, ms: number): readonly string[] {
  const instant = words[place.instant] ?? '';
  if (!/^\d{1,15}$/.test(instant)) return words;
  const inMs = IN_MS[words[place.unit]?.toUpperCase() ?? ''];
  if (inMs === undefined) return words.with(place.instant, String(Number(instant) + ms));
  return words.with(place.unit, inMs).with(place.instant, String(Number(instant) * 1000 + ms));
}
