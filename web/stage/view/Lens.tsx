import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { signalsBody } from '../../../shared/wire/http.ts';
import { getJson } from '../../data/http/http.ts';
import { countText } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import type { Beat, Storyboard } from '../beats/beats-from-events.ts';
import { LENS_LAND_MS } from '../beats/moves-of.ts';
import { wakeText } from '../captions/caption.ts';
import { beatIndex } from '../playback/position.ts';
import { useStageView } from '../playback/use-stage.ts';
import { actorOf } from '../script/run.ts';
import { type LensMark, lensFromLines } from './lens-from-lines.ts';

const WIDTH = 420;
/** The left end of the bars, to the right of the letters. */
const START = 24;
const LEFT = 70;
const RIGHT = WIDTH - 40;

/** The time lens: the last instants before a waiter got the lock, in slow motion (10 to 10,000 times slower). */
export function Lens() {
  const { picture, storyboard } = useStageView();
  const index = beatIndex(storyboard, { at: picture.at, beat: picture.beat?.id ?? null, heldMs: 0 });
  // the Redis lines of the next lens are read before it opens
  const beat = storyboard.beats.slice(Math.max(0, index)).find(({ lens }) => lens !== null);
  if (!beat?.lens) return null;
  const isOpen = picture.lensMs !== null && picture.beat?.id === beat.id;
  return <LensOf key={beat.id} lens={beat.lens} isOpen={isOpen} />;
}

function LensOf({ lens, isOpen }: { lens: NonNullable<Beat['lens']>; isOpen: boolean }) {
  const { storyboard } = useStageView();
  const all = useWords();
  const words = all.stage.lens;
  const seqs = [lens.release, lens.granted].filter((seq) => seq !== null);
  const lines = useQueries({
    queries: seqs.map((seq) => ({
      queryKey: ['signals', seq],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        getJson<typeof signalsBody>(`/api/events/${seq}/signals`, signal),
      staleTime: Number.POSITIVE_INFINITY,
    })),
    combine: (results) => results.map(({ data }) => data),
  });
  const { events } = storyboard.run;
  const view = useMemo(
    () => lensFromLines(lens, events, (seq) => lines.find((each) => each?.seq === seq)?.signals ?? []),
    [lens, events, lines],
  );
  if (!isOpen) return null;
  const playMs = (view.micros / 1000) * view.factor;
  return (
    <figure
      className="stage-lens"
      data-part="lens"
      data-open-ms={LENS_LAND_MS - playMs}
      data-play-ms={playMs}
      aria-label={`${words.label}: ${words.head(wakeText(view.micros / 1000, all.time), String(view.factor))}`}
    >
      <figcaption>{words.head(wakeText(view.micros / 1000, all.time), String(view.factor))}</figcaption>
      <LensPicture marks={view.marks} micros={view.micros} who={whoOf(storyboard, lens)} />
      <ol className="stage-lens-marks">
        {view.marks.map(({ what, micros }) => (
          <li key={what} data-share={micros / view.micros}>
            <b>{words.marks[what]}</b> {all.time.micros(countText(micros))}
          </li>
        ))}
      </ol>
    </figure>
  );
}

const UPPER = 34;
const LOWER = 84;

/** The letters of the thread that released the lock and of the thread that acquired it. */
function whoOf({ run }: Storyboard, lens: NonNullable<Beat['lens']>): { upper: string; lower: string } {
  const letterOf = (seq: number | null) => {
    const event = run.events.find((each) => each.seq === seq);
    return event && 'holder' in event && event.holder !== undefined ? actorOf(run, event.holder).letter : '';
  };
  return { upper: letterOf(lens.release), lower: letterOf(lens.granted) };
}

type LensPictureProps = { marks: readonly LensMark[]; micros: number; who: { upper: string; lower: string } };

function LensPicture({ marks, micros, who }: LensPictureProps) {
  const words = useWords().stage.lens;
  const xOf = (at: number) => LEFT + ((RIGHT - LEFT) * at) / micros;
  const at = (what: LensMark['what']) => marks.find((mark) => mark.what === what)?.micros;
  const freed = xOf(at('del') ?? at('publish') ?? 0);
  const granted = xOf(at('granted') ?? micros);
  const woken = xOf(at('eval') ?? at('granted') ?? micros);
  const published = xOf(at('publish') ?? 0);
  return (
    <svg viewBox={`0 0 ${WIDTH} 118`} aria-hidden="true">
      <text className="lens-who" x="0" y={UPPER + 5}>
        {who.upper}
      </text>
      <text className="lens-who" x="0" y={LOWER + 5}>
        {who.lower}
      </text>
      <rect className="lens-hold" x={START} y={UPPER - 11} width={freed - START} height="22" />
      <rect className="lens-wait" x={START} y={LOWER - 7} width={granted - START} height="14" />
      <text className="lens-word" x={published + 22} y={LOWER + 5}>
        {words.waits}
      </text>
      <rect className="lens-hold" x={granted} y={LOWER - 11} width={WIDTH - granted} height="22" data-share={1} />
      <path className="lens-message" d={`M${published} ${UPPER + 12}L${woken} ${LOWER - 12}`} pathLength={1} />
      {numbered(marks, xOf).map(({ what, micros: when, n, x }) => (
        <g key={what} data-share={when / micros} className="lens-mark">
          <circle cx={x} cy={what === 'del' || what === 'publish' ? UPPER : LOWER} r="11" />
          <text x={x} y={(what === 'del' || what === 'publish' ? UPPER : LOWER) + 4}>
            {n}
          </text>
        </g>
      ))}
    </svg>
  );
}

/** Marks with their numbers; marks on one line that would overlap are side by side. */
function numbered(marks: readonly LensMark[], xOf: (micros: number) => number) {
  const last = { upper: Number.NEGATIVE_INFINITY, lower: Number.NEGATIVE_INFINITY };
  return marks.map((mark, index) => {
    const line = mark.what === 'del' || mark.what === 'publish' ? 'upper' : 'lower';
    const x = Math.max(xOf(mark.micros), last[line] + 25);
    last[line] = x;
    return { ...mark, n: index + 1, x };
  });
}
