import { useWords } from '../../words/language.ts';
import { useStageView } from '../playback/use-stage.ts';

const SIGN = { master: '●', copies: '⇠', 'cut-off': '⇠', killed: '✕', promoted: '●' } as const;

/** The master and the replicas behind a lock, with the faults that the demo reports. */
export function Nodes() {
  const { nodes } = useStageView().picture;
  const words = useWords().several.nodes;
  if (nodes.length === 0) return null;
  return (
    <ul className="stage-nodes" aria-label={words.label}>
      {nodes.map(({ name, state, of }) => (
        <li key={name} className={`is-${state}`}>
          <span aria-hidden="true">{SIGN[state]}</span> <b>{name}</b> {words.states[state](of ?? '')}
        </li>
      ))}
    </ul>
  );
}
