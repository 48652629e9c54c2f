import { Letter } from '../inspector/Person.tsx';
import { NameText } from '../ui/NameText.tsx';
import { countdownText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { actorOf } from './run.ts';
import { useStageView } from './use-stage.ts';

/** Redis in the middle: who holds the lock, how often, and the fuse of its lease. */
export function RedisCardView() {
  const words = useWords().stage.redis;
  const { picture, score } = useStageView();
  const { redis } = picture;
  const { run } = score;
  const nameOf = (holder: string) => {
    const { client, thread } = actorOf(run, holder);
    return `${run.cast.find(({ id }) => id === client)?.name ?? client}:${thread}`;
  };
  const isHeld = redis.holders.length > 0;
  const stressed = picture.stress ? `is-stressed-${picture.stress.emphasis}` : '';
  return (
    <section
      className={`stage-card stage-redis ${stressed} ${redis.isUnrefilled ? 'is-unrefilled' : ''}`}
      aria-label={words.region}
    >
      <h3>
        {words.title} <NameText text={run.lock} most={28} isOneLine />
      </h3>
      {!isHeld && <p className="stage-free">{words.free}</p>}
      {redis.holders.map(({ holder, letter, count }) => (
        <p key={holder} className="stage-holder">
          <Letter letter={letter} /> <NameText text={nameOf(holder)} most={28} isOneLine />{' '}
          {count !== null && <b className="hold-count">×{count}</b>}
        </p>
      ))}
      {isHeld && redis.leftMs === null && <p className="quiet">{words.noLease}</p>}
      {isHeld && redis.leftMs !== null && (
        <>
          <div className="stage-fuse" aria-hidden="true">
            <span data-part="fuse" />
          </div>
          <p className="stage-left">
            {words.left(countdownText(redis.leftMs))}
            {redis.isUnrefilled && <strong> {words.unrefilled}</strong>}
          </p>
        </>
      )}
      {redis.listeners > 0 && (
        <p className="quiet">
          <span aria-hidden="true">✉</span> {words.listeners(String(redis.listeners))}
        </p>
      )}
    </section>
  );
}
