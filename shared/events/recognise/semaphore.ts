import type { Action } from '../action.ts';
import { scriptVersionFromHead } from '../libraries/script-versions.ts';
import { counterOfChannel, isHelperKey } from '../names/counter-names.ts';
import type { Family } from './family.ts';
import { publications } from './hold-in-hash.ts';
import type { ScriptRun } from './script-run.ts';

/**
 * The scripts of `RedissonSemaphore` (3.1 to 4.7) with its channel SC (`docs/protocol.md` 9). Permits have no holder.
 *
 *   get S → decrby S n                        1 key     acquired
 *   get S                                     1 key     refused
 *   get S → set S 0                           1 key     drained
 *   [exists S →] incrby S n → publish SC      2 keys    released
 *   get S → set S n [→ publish SC n]          2 keys    set, added to, or reduced
 *   get S, exists S                           2 keys    no change: already set, or missing
 *
 * Any application may run such a script with one key. Only its channel or the SHA of Redisson's script proves a
 * semaphore.
 */
export const SEMAPHORE: Family = {
  kind: 'semaphore',
  begins: ['get', 'incrby', 'exists'],
  recognise(run) {
    const [lock = '', channel] = run.keys;
    if (run.keys.length > 2 || run.lines[0]?.words[1] !== lock) return undefined;
    if (channel === undefined) return run.keys.length === 1 ? actionsOfOneKey(run, lock) : undefined;
    if (isHelperKey(lock)) return [];
    return counterOfChannel(channel)?.kind === 'semaphore' ? actionsOfTwoKeys(run, lock) : undefined;
  },
};

function actionsOfOneKey(run: ScriptRun, lock: string): Action[] | undefined {
  const { lines, args, shape } = run;
  const [first, last] = [lines[0], lines.at(-1)];
  if (!first || !last || lines.some(({ words }) => words[1] !== lock)) return undefined;
  const isProven = scriptVersionFromHead(run.head)?.operation.startsWith('sem ') === true;
  const common = { lock, kind: 'semaphore', isProven } as const;
  const asked = args.length === 1 ? countFrom(args[0]) : undefined;
  switch (shape) {
    case 'get decrby':
      return asked !== undefined && last.words[2] === args[0]
        ? [{ do: 'take-permits', at: last.at, permits: asked, ...common }]
        : undefined;
    case 'get set':
      return args.length === 0 && last.words[2] === '0' ? [{ do: 'drain-permits', at: last.at, ...common }] : undefined;
    case 'get':
      if (args.length === 0 && isProven) return []; // drained, but nothing was free
      // If an unknown script compares a key with such a large number, the number is a token.
      if (asked === undefined || (asked > MOST_PERMITS && !isProven)) return undefined;
      return [{ do: 'refuse-permits', at: last.at, permits: asked, ...common }];
    default:
      return undefined;
  }
}

function actionsOfTwoKeys(run: ScriptRun, lock: string): Action[] | undefined {
  const { lines, args, names } = run;
  const common = { lock, kind: 'semaphore', isProven: true } as const;
  const change = lines.find((_, n) => names[n] === 'incrby' || names[n] === 'set');
  if (!change) return names.length === 1 ? [] : undefined;
  const number = countFrom(change.words[2]);
  const asked = countFrom(args[0]);
  if (number === undefined || asked === undefined || change.words[1] !== lock) return undefined;
  const messages = publications(run);
  const { at } = change;
  if (names[0] !== 'get') return [{ do: 'give-permits', at, permits: number, ...common }, ...messages];
  const ttl = change.words[3]?.toLowerCase() === 'px' ? countFrom(change.words[4]) : undefined;
  // An expirable semaphore's message contains the change, any other semaphore's the number of free permits.
  const reported = messages[0]?.do === 'publish' ? messages[0].message : undefined;
  const isExpirable = reported !== undefined && reported !== String(number) && reported === String(asked);
  const kind = isExpirable ? 'expirable-semaphore' : 'semaphore';
  return [
    {
      do: 'set-permits',
      at,
      asked,
      available: number,
      ...(ttl === undefined ? undefined : { ttlMs: ttl }),
      ...common,
      kind,
    },
    ...messages,
  ];
}

const MOST_PERMITS = 1_000_000;

/** A whole number; undefined for anything else. */
export function countFrom(word: string | undefined): number | undefined {
  return word !== undefined && /^-?\d{1,15}$/.test(word) ? Number(word) : undefined;
}
