import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { isCounterKind } from '../../../shared/events/kinds/kinds.ts';
import { Letter } from '../../parts/Person.tsx';
import { MID_PX, RULER_PX } from '../../timeline/layout/metrics.ts';
import { markTop, type Row } from '../../timeline/layout/rows.ts';
import { NameText } from '../../ui/NameText.tsx';
import { useWords } from '../../words/language.ts';
import type { Beat, Storyboard } from '../beats/beats-from-events.ts';
import { usePlayer, useStageView } from '../playback/use-stage.ts';
import { actorOf, lockOfEvent, lockOfId, nameOnStage } from '../script/run.ts';
import { setReachable } from '../view/use-fit.ts';
import { LanesPicture } from './lanes-picture.ts';
import { rowsOf, tracksOf } from './lanes-scene.ts';

/**
 * The timeline of the lock, below the cards. Cards and captions give the same facts as text.
 */
export function StageLanes({ showsAhead }: { showsAhead: boolean }) {
  const player = usePlayer();
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const { storyboard, picture } = useStageView();
  const words = useWords().stage;
  const { rows, height } = useMemo(() => rowsOf(tracksOf(storyboard)), [storyboard]);
  const isEmpty = rows.length === 0;
  const lanes = useRef<LanesPicture>(null);

  useLayoutEffect(() => {
    if (isEmpty || !canvas.current) return;
    const picture = new LanesPicture(canvas.current, player);
    lanes.current = picture;
    return () => picture.end();
  }, [player, isEmpty]);
  const drawnHeight = useRef(height);
  useLayoutEffect(() => {
    // With more lanes, each lane is lower. They are drawn now, because until the next frame they would not fit.
    if (drawnHeight.current !== height) lanes.current?.draw(picture, storyboard);
    drawnHeight.current = height;
  });
  useEffect(() => {
    if (!lanes.current || isEmpty) return;
    lanes.current.showsAhead = showsAhead;
    player.redraw();
  }, [player, showsAhead, isEmpty]);

  const rowCount = rows.length;
  useEffect(() => {
    if (box.current) setReachable(box.current, rowCount > 0 && box.current.scrollHeight > box.current.clientHeight);
  }, [rowCount]);
  const active = activeRow(storyboard, picture.beat, rows);
  useEffect(() => {
    const element = active === -1 ? null : box.current?.querySelectorAll('.stage-lane-name')[active];
    if (element) showInside(box.current, element);
  }, [active]);

  if (isEmpty) return <p className="stage-lanes-to-come quiet">{words.lanes.toCome}</p>;
  return (
    <div
      ref={box}
      className="stage-lanes"
      style={{ '--lanes-px': height + RULER_PX } as React.CSSProperties}
      role="img"
      aria-label={words.lanes.label}
    >
      <div className="stage-lane-names" aria-hidden="true">
        {rows.map((row) => (
          <div
            key={row.key}
            className={`stage-lane-name is-${row.kind}`}
            style={{ '--row-px': row.height, '--lower-px': lowerBy(row) } as React.CSSProperties}
          >
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

/** How far the middle of a row's bars is below the middle of the row. */
function lowerBy(row: Row): number {
  return row.kind === 'thread' ? markTop(row) + MID_PX - row.y - row.height / 2 : 0;
}

/** Index of the row of the thread that the beat is about; -1 if there is none. */
function activeRow({ reported, run }: Storyboard, beat: Beat | null, rows: readonly Row[]): number {
  const moment = beat && reported[beat.moment]?.moment;
  if (moment?.kind !== 'event') return -1;
  const { event } = moment;
  const holder = 'holder' in event ? event.holder : undefined;
  const isAtLock = (id: string) => {
    const lock = lockOfId(run, id);
    return lock !== undefined && lockOfEvent({ locks: [lock] }, event) !== null;
  };
  return rows.findIndex((row) => row.kind === 'thread' && row.holder === holder && isAtLock(row.lockId));
}

/** Scrolls the lanes, never the page. */
function showInside(box: HTMLElement | null, element: Element): void {
  if (!box || box.scrollHeight <= box.clientHeight) return;
  const [view, row] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
  if (row.bottom > view.bottom) box.scrollBy(0, row.bottom - view.bottom);
  else if (row.top < view.top) box.scrollBy(0, row.top - view.top - row.height);
}

/**
 * The name of the key's lane: it shows the lease, or a number. With several locks, it includes the name of the lock.
 */
function KeyName({ lockId }: { lockId: string }) {
  const { run } = useStageView().storyboard;
  const words = useWords().stage.lanes;
  const lock = lockOfId(run, lockId);
  const kind = run.events.find(({ lock: name }) => name === lock?.name)?.kind;
  if (run.locks.length > 1 && lock) {
    return (
      <b>
        <NameText text={words.keyOf(nameOnStage(run, lock))} most={28} isOneLine />
      </b>
    );
  }
  return <b>{kind !== undefined && isCounterKind(kind) ? words.number : words.key}</b>;
}

function LaneName({ holder }: { holder: string }) {
  const { run } = useStageView().storyboard;
  const { client, thread, letter } = actorOf(run, holder);
  const name = run.cast.find(({ id }) => id === client)?.name ?? client;
  return (
    <>
      <Letter letter={letter} />{' '}
      <span className="stage-lane-client">{name === holder ? name : `${name}:${thread}`}</span>
    </>
  );
}
