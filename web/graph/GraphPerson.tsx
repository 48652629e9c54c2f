import { shortClient } from '../../shared/wire/person-text.ts';
import { Person } from '../inspector/Person.tsx';
import { useClientName } from '../inspector/people.ts';
import { NameText } from '../ui/NameText.tsx';
import { useWords } from '../words/language.ts';
import type { WireNode } from './folded.ts';

/** The name of a client whose threads are not shown one by one. */
export function ClientName({ client }: { client: string }) {
  const name = useClientName(client, null);
  return (
    <span className="person" title={client.slice(0, 500)}>
      <NameText text={name || shortClient(client)} most={40} isOneLine />
    </span>
  );
}

/** A thread or client of the graph. `threads`: how many threads of a client wait or hold. */
export function GraphPerson({ node, threads }: { node: WireNode | undefined; threads: number }) {
  const { graph: texts } = useWords();
  if (node?.kind === 'thread') {
    return (
      <>
        <Person lockId="" id={node.holder} client={node.client} isAmongLocks />
        {node.isGone && <span className="quiet"> ({texts.gone})</span>}
      </>
    );
  }
  if (node?.kind !== 'client') return null;
  return (
    <>
      <ClientName client={node.client} />{' '}
      <span className="quiet">
        ({texts.threads(threads)}
        {node.isGone && `, ${texts.gone}`})
      </span>
    </>
  );
}
