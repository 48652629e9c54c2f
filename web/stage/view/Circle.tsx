import { useWords } from '../../words/language.ts';
import { useStageView } from '../playback/use-stage.ts';
import { actorOf } from '../script/run.ts';

const WIDTH = 340;
const HEIGHT = 190;
/** From the middle of a node to its edge, and the space around it. */
const THREAD_PX = 17;
const LOCK_PX = { x: 50, y: 14 };
const PADDING_PX = 4;

/** Threads that wait for each other, drawn as a circle; the sentence below has the same content. */
export function Circle() {
  const { picture, storyboard } = useStageView();
  const { common, several } = useWords();
  const words = several.circle;
  const { circle } = picture;
  if (!circle) return null;
  const letterOf = (holder: string) => actorOf(storyboard.run, holder).letter;
  const nodes = circle.flatMap(({ holder, wants }) => [
    { kind: 'thread' as const, text: letterOf(holder) },
    { kind: 'lock' as const, text: wants },
  ]);
  const places = nodes.map((node, index) => ({ ...node, ...placeOf(index, nodes.length) }));
  const sentences = circle.map(({ holder, wants, heldBy }) => words.step(letterOf(holder), wants, letterOf(heldBy)));
  return (
    <figure className="stage-circle" aria-label={words.label}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <defs>
          <marker id="circle-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 0 L8 4 L0 8 z" />
          </marker>
        </defs>
        {places.map((from, index) => {
          const to = places[(index + 1) % places.length] ?? from;
          const [x1, y1, x2, y2] = between(from, to);
          const isWanting = from.kind === 'thread';
          return (
            <g key={`${from.kind}${from.text}`} className={isWanting ? 'circle-wants' : 'circle-held'}>
              <line x1={x1} y1={y1} x2={x2} y2={y2} markerEnd="url(#circle-head)" />
              <text {...besideLine(x1, y1, x2, y2)}>{isWanting ? words.wants : words.heldBy}</text>
            </g>
          );
        })}
        {places.map(({ kind, text, x, y }) => (
          <g key={`${kind}${text}`} className={`circle-node is-${kind}`}>
            {kind === 'thread' ? (
              <circle cx={x} cy={y} r="17" />
            ) : (
              <rect x={x - 50} y={y - 14} width="100" height="28" rx="5" />
            )}
            <text x={x} y={y + 5}>
              {text.length > 13 ? `${text.slice(0, 12)}…` : text}
            </text>
          </g>
        ))}
      </svg>
      <figcaption>{common.sentences(sentences)}</figcaption>
    </figure>
  );
}

type Place = { readonly kind: 'thread' | 'lock'; readonly x: number; readonly y: number };

/** The middle of a node: clockwise, beginning on the left. */
function placeOf(index: number, count: number): Pick<Place, 'x' | 'y'> {
  const angle = Math.PI + (index / count) * 2 * Math.PI;
  return { x: WIDTH / 2 + Math.cos(angle) * 130, y: HEIGHT / 2 + Math.sin(angle) * 70 };
}

/** The part of the line between two nodes that is outside the nodes. */
function between(from: Place, to: Place): [number, number, number, number] {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const dx = (to.x - from.x) / length;
  const dy = (to.y - from.y) / length;
  const start = edgeOf(from, dx, dy) + PADDING_PX;
  const end = edgeOf(to, dx, dy) + PADDING_PX;
  return [from.x + dx * start, from.y + dy * start, to.x - dx * end, to.y - dy * end];
}

/** The distance from a node's middle to its edge, in a direction. */
function edgeOf({ kind }: Place, dx: number, dy: number): number {
  if (kind === 'thread') return THREAD_PX;
  return Math.min(LOCK_PX.x / Math.max(Math.abs(dx), 1e-6), LOCK_PX.y / Math.max(Math.abs(dy), 1e-6));
}

/** Words beside the middle of a line, outside the circle. */
function besideLine(x1: number, y1: number, x2: number, y2: number) {
  const x = (x1 + x2) / 2;
  const y = (y1 + y2) / 2;
  const isLeft = x < WIDTH / 2;
  return { x: x + (isLeft ? -8 : 8), y: y + (y < HEIGHT / 2 ? -8 : 18), textAnchor: isLeft ? 'end' : 'start' } as const;
}
