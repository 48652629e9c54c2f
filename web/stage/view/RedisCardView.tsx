import type { ReactNode } from 'react';
import type { HolderState } from '../../../shared/state/lock-state.ts';
import { Letter } from '../../parts/Person.tsx';
import { NameText } from '../../ui/NameText.tsx';
import { countdownText } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import type { RedisCard } from '../playback/stage-at.ts';
import { useStageView } from '../playback/use-stage.ts';
import { actorOf } from '../script/run.ts';
import { GroupHead, MemberTag } from './GroupHead.tsx';
import { isNumber, RedisOfKind } from './RedisOfKind.tsx';

/** Redis in the middle of the stage: a card for each lock. `children` are shown below the cards. */
export function RedisStore({ children }: { children?: ReactNode }) {
  const words = useWords().stage.redis;
  const { locks, group } = useStageView().picture;
  return (
    <section
      className={`stage-shelf ${locks.length > 1 ? 'is-many' : ''} ${group ? 'is-group' : ''}`}
      style={{ '--locks': locks.length } as React.CSSProperties}
      aria-label={words.region}
    >
      <GroupHead />
      {locks.map((card) => (
        <RedisCardView key={card.key} card={card} />
      ))}
      {children}
    </section>
  );
}

/** Shown for a server that was killed or is not seen, so that its state is not known. */
function ServerUnknown({ isDown }: Pick<RedisCard, 'isDown'>) {
  const words = useWords().several.server;
  return (
    <p className="stage-card-state">
      <span aria-hidden="true">{isDown ? '✕' : '?'}</span> {isDown ? words.down : words.unseen}
    </p>
  );
}

/** The card of a lock: holders, hold counts, and the fuse of its lease. */
function RedisCardView({ card }: { card: RedisCard }) {
  const { redis: words, card: cardWords } = useWords().stage;
  const { picture, storyboard } = useStageView();
  const countText = (mode: HolderState['mode'], count: number) => {
    if (mode === 'read') return cardWords.reads(`×${count}`);
    return mode === 'write' ? cardWords.writes(`×${count}`) : `×${count}`;
  };
  const { run } = storyboard;
  const nameOf = (holder: string) => {
    const { client, thread } = actorOf(run, holder);
    return `${run.cast.find(({ id }) => id === client)?.name ?? client}:${thread}`;
  };
  const counts = isNumber(card);
  const isHeld = card.holders.length > 0 && !counts;
  const { highlight } = picture;
  const isHighlighted = highlight !== null && (highlight.lock === null || highlight.lock === card.key);
  const highlightClass = isHighlighted ? `is-stressed-${highlight.emphasis}` : '';
  return (
    <article
      className={`stage-card stage-redis ${highlightClass} ${card.isUnrenewed ? 'is-unrenewed' : ''} ${card.isDown ? 'is-down' : ''}`}
      aria-label={words.lock(card.server ?? words.title, card.name)}
      data-lock={card.key}
    >
      <h3>
        {card.server ?? words.title} <NameText text={card.name} most={28} isOneLine />
      </h3>
      {(card.isDown || card.isUnseen) && <ServerUnknown isDown={card.isDown} />}
      {!isHeld && !counts && !card.isDown && !card.isUnseen && <p className="stage-free">{words.free}</p>}
      {(counts ? [] : card.holders).map(({ holder, letter, count, mode }) => (
        <p key={`${holder} ${mode}`} className="stage-holder">
          <Letter letter={letter} /> <NameText text={nameOf(holder)} most={28} isOneLine />{' '}
          {count !== null && <b className="hold-count">{countText(mode, count)}</b>}
        </p>
      ))}
      {isHeld && card.leftMs === null && (
        <p className="quiet">{card.lock?.neverEnds ? words.noLease : words.leaseUnknown}</p>
      )}
      {isHeld && card.leftMs !== null && (
        <>
          <div className="stage-fuse" aria-hidden="true">
            <span data-part="fuse" data-fuse={card.key} />
          </div>
          <p className="stage-left">
            {words.left(countdownText(card.leftMs))}
            {card.isUnrenewed && <strong> {words.unrenewed}</strong>}
          </p>
        </>
      )}
      <MemberTag lock={card.key} isDown={card.isDown} />
      <RedisOfKind card={card} />
      {card.listeners > 0 && (
        <p className="quiet">
          <span aria-hidden="true">✉</span> {words.listeners(String(card.listeners))}
        </p>
      )}
    </article>
  );
}
