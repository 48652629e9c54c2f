import type { LockEvent } from '../events/event.ts';
import { parseHolder } from '../events/names.ts';

/** Names remembered by one matcher; events name the same few again and again. */
const MOST_REMEMBERED = 10_000;

/** Whether a name has a part, whatever the case of its letters; remembers its answers. */
export function partMatcher(part: string): (name: string) => boolean {
  const wanted = part.toLowerCase();
  return remembering((name) => name.toLowerCase().includes(wanted));
}

/**
 * Whether a holder has a part in its id, or in what pages show for it: its client's name, or the first eight letters of
 * its UUID, and its thread.
 */
export function holderMatcher(part: string, nameOf: (client: string) => string | undefined): (id: string) => boolean {
  const wanted = part.toLowerCase();
  return remembering((id) => textsOf(id, nameOf).some((text) => text.toLowerCase().includes(wanted)));
}

/** Whose doing an event is: its holder, or the client where no thread is known; undefined where nobody is. */
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
