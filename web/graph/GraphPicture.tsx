import { memo, useMemo, useSyncExternalStore } from 'react';
import { lockNow } from '../cursor/routes-now.ts';
import type { ShownGraph } from '../data/queries/graph.ts';
import { Person } from '../parts/Person.tsx';
import { NameText } from '../ui/NameText.tsx';
import { secondsText } from '../ui/time-text.ts';
import { WideBox } from '../ui/WideBox.tsx';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';
import { type Box, type Picture, pictureOf } from './folded.ts';
import { ClientName } from './GraphPerson.tsx';
import { layoutOf, lineOf, NARROW, type Place, WIDE } from './layout.ts';

const PHONE = window.matchMedia('(max-width: 40rem)');

/** The graph as boxes and arrows. Assistive technology gets the list beside it instead. */
export const GraphPicture = memo(function GraphPicture({ graph }: { graph: ShownGraph }) {
  const { graph: texts } = useWords();
  const sizes = useSyncExternalStore(onPhone, () => (PHONE.matches ? NARROW : WIDE));
  const picture = useMemo(() => pictureOf(graph, sizes.mostAlone), [graph, sizes]);
  const { box: size } = sizes;
  const { width, height, places } = useMemo(() => {
    const ids = picture.boxes.map(({ id }) => id);
    return layoutOf(ids, picture.arrows, sizes);
  }, [picture, sizes]);
  return (
    <>
      <p className="graph-key" aria-hidden="true">
        <span className="is-waits">⇢ {texts.key.waits}</span>
        <span className="is-holds">→ {texts.key.holds}</span>
        {picture.arrows.some(({ kind }) => kind === 'blocked') && (
          <span className="is-blocked">⇢ {texts.key.blocked}</span>
        )}
        {picture.inCycle.size > 0 && <span className="is-cycle">➜ {texts.key.cycle}</span>}
      </p>
      <WideBox label={texts.picture} className="graph-scroller">
        <div className="graph-picture" style={{ width, height }} aria-hidden="true">
          <Arrows picture={picture} size={{ width, height }} sizes={sizes} places={places} />
          {picture.boxes.map((box) => {
            const { x, y } = places.get(box.id) ?? { x: 0, y: 0 };
            const isInCycle = picture.inCycle.has(box.id);
            return (
              <div
                key={box.id}
                className={`graph-box is-${box.kind}${isInCycle ? ' is-in-cycle' : ''}`}
                style={{ left: x - size.width / 2, top: y - size.height / 2, ...size }}
              >
                <BoxText box={box} arrows={picture.arrows} />
              </div>
            );
          })}
        </div>
      </WideBox>
    </>
  );
});

function onPhone(listener: () => void): () => void {
  PHONE.addEventListener('change', listener);
  return () => PHONE.removeEventListener('change', listener);
}

type ArrowsProps = {
  picture: Picture;
  size: { width: number; height: number };
  sizes: typeof WIDE;
  places: ReadonlyMap<string, Place>;
};

function Arrows({ picture: { arrows }, size, sizes, places }: ArrowsProps) {
  return (
    <svg {...size} aria-hidden="true">
      <defs>
        {(['waits', 'holds', 'blocked', 'cycle'] as const).map((kind) => (
          <marker
            key={kind}
            id={`graph-tip-${kind}`}
            className={`is-${kind}`}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="9"
            markerHeight="9"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path d="M0 0 8 4 0 8z" />
          </marker>
        ))}
      </defs>
      {arrows.map(({ from, to, kind, isInCycle }) => {
        const [start, end] = [places.get(from), places.get(to)];
        if (!start || !end) return null;
        const line = lineOf(start, end, sizes);
        return (
          <path
            key={`${from} ${kind} ${to}`}
            className={`is-${kind}${isInCycle ? ' is-cycle' : ''}`}
            d={`M${line.from.x} ${line.from.y} ${line.to.x} ${line.to.y}`}
            markerEnd={`url(#graph-tip-${isInCycle ? 'cycle' : kind})`}
          />
        );
      })}
    </svg>
  );
}

/** What a box shows: its name, and since when it waits or is held. */
function BoxText({ box, arrows }: { box: Box; arrows: Picture['arrows'] }) {
  const { graph: texts } = useWords();
  if (box.kind === 'several') return <b>{texts.waiting(box.threads)}</b>;
  if (box.kind === 'lock') {
    const hold = arrows.find(({ from, kind }) => kind === 'holds' && from === box.id);
    return (
      <>
        <Link to={lockNow({ name: box.lock, source: box.source, db: box.db })} tabIndex={-1}>
          <NameText text={box.lock} most={40} isOneLine />
        </Link>
        <small>{hold ? texts.heldSince(clockOf(hold.since)) : texts.free}</small>
      </>
    );
  }
  const wait = arrows.find(({ from, kind }) => kind === 'waits' && from === box.id);
  const blocked = arrows.find(({ from, kind }) => kind === 'blocked' && from === box.id);
  const holds = arrows.some(({ to, kind }) => kind === 'holds' && to === box.id);
  return (
    <>
      {box.kind === 'thread' ? (
        <Person lockId="" id={box.holder} client={box.client} isAmongLocks most={40} />
      ) : (
        <ClientName client={box.client} />
      )}
      <small>
        {box.isGone
          ? texts.gone
          : [
              ...(box.kind === 'client' ? [texts.threads(box.threads)] : []),
              wait
                ? texts.waitsSince(clockOf(wait.since))
                : blocked
                  ? texts.blockedAt(secondsText(blocked.since ?? 0))
                  : holds && texts.holds,
            ]
              .filter(Boolean)
              .join(', ')}
      </small>
    </>
  );
}

function clockOf(since: number | null): string | null {
  return since === null ? null : secondsText(since);
}
