import { useMemo } from 'react';
import { personText, splitHolder } from '../../shared/wire/person-text.ts';
import { useLive } from '../data/live/use-live.ts';
import { cutInMiddle, visibleText } from '../ui/visible-text.ts';

const LONGEST = 40;

/** The names of holders in plain text, for sentences: `order-svc-1:7`. */
export function useHolderName(): (holder: string) => string {
  const names = useLive((state) => state.names);
  return useMemo(
    () => (holder: string) => {
      const { client, thread } = splitHolder(holder);
      return cutInMiddle(visibleText(personText(client, thread, names.get(client) ?? null)), LONGEST);
    },
    [names],
  );
}
