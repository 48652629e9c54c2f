import type { LockEvent } from '../../events/event.ts';
import { parseHolder } from '../../events/names/names.ts';

/** How many answers one matcher remembers. Events repeat the same few names. */
const MOST_REMEMBERED = 10_000;

/** Returns a function that tests whether a name contains `part`. It ignores case and remembers its answers. */
export function partMatcher(part: string): (name: string) => boolean {
  const wanted = part.toLowerCase();
  return remembering((name) => name.toLowerCase().includes(wanted));
}

/**
 * Returns a function that tests whether a holder's id, or a text that pages show for it, contains `part`. Pages show
 * the thread behind the client's name, or behind the first eight characters of its uuid. It ignores case.
 */
export function holderMatcher(part: string, nameOf: (client: string) => string | undefined): (id: string) => boolean {
  const wanted = part.toLowerCase();
  return remembering((id) => textsOf(id, nameOf).some((text) => text.toLowerCase().includes(wanted)));
}

/** The holder of an event or, without a holder, its client; undefined if it has neither. */
export function whoseEvent(event: LockEvent): string | undefined {
  if ('holder' in event && event.holder !== undefined) return event.holder;
  return 'client' in event ? event.client : undefined;
}

function textsOf(id: string, nameOf: (client: string) => string | undefined): string[] {
  const { client = id, thread } = parseHolder(id) ?? {};
  const end = thread === undefined ? '' : `:${thread}`;
  const name = nameOf(client);
  return [id, `${client.slice(0, 8)}${end}`, ...(name === undefined ? [] : [`${name}${end}`])];
}

function remembering(answer: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const isMatch = answer(name);
    if (known.size < MOST_REMEMBERED) known.set(name, isMatch);
    return isMatch;
  };
}
