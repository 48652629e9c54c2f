import { countdownText } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import type { MoveLabel } from '../beats/moves-of.ts';
import { useStageView } from '../playback/use-stage.ts';

/** The envelope on its way, with its label. It is hidden from screen readers: captions have the same content. */
export function Envelope() {
  const { envelope } = useStageView().picture;
  const words = useWords().stage.envelope;
  const textOf = (label: MoveLabel): string =>
    label.is === 'busy' ? words.busy(label.leftMs === null ? null : countdownText(label.leftMs)) : words[label.is];
  const way = envelope?.way ?? 'to-redis';
  return (
    <div
      data-part="envelope"
      data-who={envelope?.client}
      className={`stage-envelope is-${envelope?.label.is ?? 'none'} is-${way}`}
      aria-hidden="true"
      hidden
    >
      <span>✉</span> {envelope ? textOf(envelope.label) : ''}
    </div>
  );
}
