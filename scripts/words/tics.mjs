/** Words that `docs/language.md` replaces, and what to write instead. With `only: 'code'` not searched in Markdown. */
export const TICS = [
  { found: /\b(?:tells?|told)\b(?! (?:them )?apart)/i, instead: 'reports, emits, returns, shows' },
  { found: /\b(?:gives?|gave|given|hands?) back\b/i, instead: 'returns' },
  { found: /\bwhoever\b/i, instead: 'the client, thread, caller … that' },
  { found: /\b(?:nobody|somebody)\b/i, instead: 'no client, another client', only: 'code' },
  { found: /\banew\b|\bonce more\b/i, instead: 'again' },
  { found: /\bno more\b(?! than)|\bnot any ?more\b|\bany ?more\b(?=[.,:;')]| \*\/|$)/i, instead: 'no longer' },
  { found: /\b(?:lets?|letting) go\b/i, instead: 'release, drop' },
  { found: /\bin vain\b/i, instead: 'failed, without effect' },
  {
    found: /(?<!\bthere )\b(?:is|are|was|were) (?:none|no (?:lock|number|time|address|port|kind))\b/i,
    instead: 'is not a …',
  },
  {
    found: /(?<!\bthere )\b(?:is|are|was|were) no (?!(?:longer|more|one|such|known|[a-z]+er)\b)[a-z]/i,
    instead: 'is not a …',
    only: 'code',
  },
  { found: /\b(?:comes?|came) (?:along|by)\b(?! a )/i, instead: 'arrives, arrived' },
  { found: /\bnow and then\b/i, instead: 'every N seconds' },
  { found: /\bstruck out\b/i, instead: 'evicted' },
  { found: /\b(?:stands?|stood) (?:for|in|at|anew|beside|here|there)\b/i, instead: 'is in, is at, replaces' },
  { found: /\bso many\b/i, instead: 'too many, up to N' },
  { found: /\bsaid\b(?! hello| so\b)/i, instead: 'reported, shown' },
  { found: /\bfor so long\b/i, instead: 'longer than this, within this time' },
  { found: /\bof old\b/i, instead: 'stale, earlier' },
];

/** The same for the words in identifiers. */
export const NAME_TICS = new Map([
  ['told', 'reported, sent'],
  ['untold', 'unreported'],
  ['tell', 'report, emit'],
  ['tells', 'reports'],
  ['telling', 'report'],
  ['teller', 'reporter'],
  ['said', 'text, quote, sent'],
  ['nobody', 'none, noClient'],
  ['whoever', 'client, caller'],
  ['shelf', 'store'],
  ['book', 'tracker'],
  ['stretch', 'range'],
  ['stretches', 'ranges'],
  ['chronicle', 'store'],
  ['curtain', 'end'],
  ['prompter', 'control'],
]);
