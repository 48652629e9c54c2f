import { NameText } from '../../ui/NameText.tsx';
import { countdownText } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import type { LocalCard } from '../playback/stage-at.ts';
import { useStageView } from '../playback/use-stage.ts';

/** The locks in one client's own memory, as the client reports them. Redis does not see them, so Lockscope cannot. */
export function LocalCards({ client }: { client: string }) {
  const { locals } = useStageView().picture;
  return locals.filter((card) => card.client === client).map((card) => <LocalCardView key={card.name} card={card} />);
}

function LocalCardView({ card }: { card: LocalCard }) {
  const words = useWords().several.local;
  const { client, name, takenBy, waitsMs, isOwn } = card;
  return (
    <section
      className={`stage-card stage-local ${waitsMs === null ? '' : 'is-stuck'}`}
      aria-label={words.label(client, name)}
    >
      <h3>
        {words.title(client)} <NameText text={name} most={24} isOneLine />
      </h3>
      <p className="stage-doing">{takenBy === null ? words.free : words.taken}</p>
      {waitsMs !== null && (
        <p className="stage-local-waits">
          <span aria-hidden="true">∞</span> {isOwn ? words.waitsForItself : words.waits} {countdownText(waitsMs)}
        </p>
      )}
      <p className="stage-told">
        <span aria-hidden="true">⌁</span> {words.reported}
      </p>
    </section>
  );
}
