import { useEffect, useMemo, useRef } from 'react';
import { Letter } from '../../inspector/Person.tsx';
import { NameText } from '../../ui/NameText.tsx';
import { useWords } from '../../words/language.ts';
import { usePlayer, useStageView } from '../playback/use-stage.ts';
import { actorOf, lockOfId, nameOnStage } from '../script/run.ts';
import { LanesPicture } from './lanes-picture.ts';
import { rowsOf, tracksOf } from './lanes-scene.ts';

/**
 * The timeline of the lock, below the cards. Cards and captions give the same facts as text.
 */
export function StageLanes() {
  const player = usePlayer();
  const canvas = useRef<HTMLCanvasElement>(null);
  const { score } = useStageView();
  const words = useWords().stage;
  const rows = useMemo(() => rowsOf(tracksOf(score.run)).rows, [score]);
  const isEmpty = rows.length === 0;

  useEffect(() => {
    if (isEmpty || !canvas.current) return;
    const picture = new LanesPicture(canvas.current, player);
    return () => picture.end();
  }, [player, isEmpty]);

  if (isEmpty) return <p className="stage-lanes-to-come quiet">{words.lanes.toCome}</p>;
  return (
    <div className="stage-lanes" role="img" aria-label={words.lanes.label}>
      <div className="stage-lane-names" aria-hidden="true">
        {rows.map((row) => (
          <div key={row.key} className={`stage-lane-name is-${row.kind}`}>
            {row.kind === 'thread' && <LaneName holder={row.holder} />}
            {row.kind === 'key' && <KeyName lockId={row.lockId} />}
          </div>
        ))}
      </div>
      <div className="stage-lane-plot" aria-hidden="true">
        <canvas ref={canvas} />
      </div>
    </div>
  );
}

/** The name of the key's lane; with several locks, it includes the name of the lock. */
function KeyName({ lockId }: { lockId: string }) {
  const { run } = useStageView().score;
  const words = useWords().stage;
  const lock = lockOfId(run, lockId);
  if (run.locks.length === 1 || !lock) return <b>{words.lanes.key}</b>;
  return (
    <b>
      {words.lanes.key} <NameText text={nameOnStage(run, lock)} most={20} isOneLine />
    </b>
  );
}

function LaneName({ holder }: { holder: string }) {
  const { run } = useStageView().score;
  const { client, thread, letter } = actorOf(run, holder);
  const name = run.cast.find(({ id }) => id === client)?.name ?? client;
  return (
    <>
      <Letter letter={letter} />{' '}
      <span className="stage-lane-client">{name === holder ? name : `${name}:${thread}`}</span>
    </>
  );
}
