import { type ReactNode, useMemo } from 'react';
import { useDemo } from '../data/queries/demo-queries.ts';
import { useIsDemo } from '../data/queries/queries.ts';
import { GivenLetters } from '../parts/people.ts';

/** Assigns the stage's letters to the threads of the demo clients: `A`, and `A2` for a client's second thread. */
export function ActorLettersProvider({ children }: { children: ReactNode }) {
  const isDemo = useIsDemo();
  const clients = useDemo(isDemo).data?.clients;
  const ids = JSON.stringify(clients?.map(({ id, threads }) => [id, threads.map((thread) => thread.holder)]) ?? []);
  const letters = useMemo(() => {
    const given = new Map<string, string>();
    for (const [id, holders] of JSON.parse(ids) as [string, string[]][]) {
      holders.forEach((holder, index) => {
        given.set(holder, index === 0 ? id : `${id}${index + 1}`);
      });
    }
    return given;
  }, [ids]);
  return <GivenLetters value={letters}>{children}</GivenLetters>;
}
