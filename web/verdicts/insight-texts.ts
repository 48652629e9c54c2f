import { textsOf, type WrittenInsight } from '../../shared/insights/words.ts';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import { personText, splitHolder } from '../../shared/wire/person-text.ts';
import { secondsText } from '../ui/time-text.ts';
import type { Words } from '../words/words.ts';

/**
 * The texts of an insight in the language of the page. Threads have the names of their clients. An incident that this
 * page does not know has the English texts of the server.
 */
export function insightTexts(
  insight: WireInsight,
  { insights }: Words,
  names: ReadonlyMap<string, string>,
  clock: (at: number) => string = secondsText,
): WrittenInsight {
  if (!(insight.incident in insights)) return insight;
  const say = { who: whoOf(names), clock: (at: number) => clock(at) };
  // server and page use the same table of incidents
  return textsOf(insights, insight as unknown as Parameters<typeof textsOf>[1], say);
}

/** Writes an id of a thread with the name of its client. */
export function whoOf(names: ReadonlyMap<string, string>): (id: string) => string {
  return (id) => {
    const { client, thread } = splitHolder(id);
    return personText(client, thread, names.get(client) ?? null);
  };
}
