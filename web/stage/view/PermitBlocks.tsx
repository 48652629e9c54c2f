import { millisBetween } from '../../../shared/base/time.ts';
import type { LockState } from '../../../shared/state/lock-state.ts';
import { Letter } from '../../parts/Person.tsx';
import { countdownText } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import { useStageView } from '../playback/use-stage.ts';
import { actorOf } from '../script/run.ts';

/** More permits than this are shown only as a number. */
const MOST_BLOCKS = 24;

/** A block for each permit: with the taker's letter while it is in use, empty while it is free. */
export function PermitBlocks({ lock }: { lock: LockState }) {
  const words = useWords().stageKinds.redis;
  const { picture, storyboard } = useStageView();
  const { permits, holders } = lock;
  if (!permits) return <p className="stage-free">{words.noPermits}</p>;
  const { available, total } = permits;
  const out = holders.flatMap(({ id, client, holdCount }) => {
    const { letter } = actorOf(storyboard.run, client ?? id);
    return Array.from({ length: holdCount ?? 1 }, (_, n) => ({ key: `${id} ${n}`, letter }));
  });
  const free = Array.from({ length: available }, (_, n) => `free ${n}`);
  const withEnds = holders.filter(({ client }) => client !== undefined);
  return (
    <>
      {out.length + free.length <= MOST_BLOCKS && (
        <div className="stage-permits" aria-hidden="true">
          {out.map(({ key, letter }) => (
            <span key={key} className="is-out">
              {letter}
            </span>
          ))}
          {free.map((key) => (
            <span key={key} />
          ))}
        </div>
      )}
      <p className="stage-left">{total === null ? words.free(available) : words.freeOf(available, total)}</p>
      {withEnds.map(({ id, client, expiresAt }) => {
        const leftMs = expiresAt == null ? null : millisBetween(picture.at, expiresAt);
        const text =
          leftMs === null
            ? words.permitForEver
            : leftMs > 0
              ? words.permitLeft(countdownText(leftMs))
              : words.permitOver;
        return (
          <p key={id} className={`stage-permit ${leftMs !== null && leftMs <= 0 ? 'is-over' : ''}`}>
            <Letter letter={actorOf(storyboard.run, client ?? id).letter} /> {text}
          </p>
        );
      })}
    </>
  );
}
