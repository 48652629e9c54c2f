import { ChevronDown, ChevronRight } from 'lucide-react';
import { type DragEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { clientOf } from '../../../shared/events/names/names.ts';
import { nameInId } from '../../../shared/state/lock-state.ts';
import { keyOf } from '../../keys/key-map.ts';
import { PRESENCE_SIGNS } from '../../parts/lock-words.ts';
import { Person } from '../../parts/Person.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { NameText } from '../../ui/NameText.tsx';
import { durationText } from '../../ui/time-text.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { useWords } from '../../words/language.ts';
import { RULER_PX } from '../layout/metrics.ts';
import { linkKey, type Row, rowsBetween } from '../layout/rows.ts';
import { usePlaceOf } from '../model/lock-place.ts';
import { useHasSeveralLocks, useHistoryVersion, useRows, useTimeline, useWorkspace } from '../store/workspace.ts';

/** Rows this far above and below the visible ones are rendered too. */
const OVERSCAN_PX = 200;
const DRAGGED = 'application/x-lockscope-lock';

/** The names of the lanes: buttons with one tab stop for all, and arrow keys between them. */
export function LaneNames({ scroller }: { scroller: HTMLElement }) {
  const words = useWords().timeline;
  const { rows } = useRows();
  const focus = useTimeline((state) => state.focus);
  const { top, height } = useScroll(scroller);
  const list = useRef<HTMLElement>(null);
  const shown = rowsBetween(rows, top - OVERSCAN_PX, top + height + OVERSCAN_PX);
  const tabStop = shown.some((row) => row.key === focus) ? focus : shown.find((row) => row.kind !== 'key')?.key;

  useEffect(() => {
    const row = rows.find((other) => other.key === focus);
    if (!row) return;
    const { scrollTop, clientHeight } = scroller;
    if (row.y < scrollTop) scroller.scrollTop = row.y;
    else if (row.y + row.height > scrollTop + clientHeight - RULER_PX) {
      scroller.scrollTop = row.y + row.height - clientHeight + RULER_PX;
    }
    if (!list.current?.contains(document.activeElement)) return;
    const button = [...list.current.querySelectorAll<HTMLElement>('[data-lane]')].find(
      (element) => element.dataset.lane === focus,
    );
    button?.focus({ preventScroll: true });
  }, [focus, rows, scroller]);

  return (
    <section className="tl-names" ref={list} aria-label={words.lanes}>
      {shown.map((row, index) => (
        <div
          key={row.key}
          className={`tl-name is-${row.kind} ${row.key === focus ? 'is-focused' : ''} ${isBanded(row) ? 'is-banded' : ''}`}
          style={{ transform: `translateY(${row.y + RULER_PX}px)`, height: row.height }}
          data-index={index}
        >
          <LaneName row={row} isTabStop={row.key === tabStop} />
        </div>
      ))}
    </section>
  );
}

function isBanded(row: Row): boolean {
  return row.kind === 'thread' && row.lane % 2 === 0;
}

function LaneName({ row, isTabStop }: { row: Row; isTabStop: boolean }) {
  const words = useWords().timeline;
  const { actions, timeline } = useWorkspace();
  const areSeveral = useHasSeveralLocks();
  const placeOf = usePlaceOf();
  if (row.kind === 'key') return <KeyName lockId={row.lockId} />;
  const common = {
    type: 'button' as const,
    'data-lane': row.key,
    tabIndex: isTabStop ? 0 : -1,
    onFocus: () => timeline.set({ focus: row.key }),
  };
  if (row.kind === 'quiet' || row.kind === 'empty') {
    const text =
      row.kind === 'quiet' ? words.quietLocks(row.count, visibleText(row.prefix)) : words.emptyLanes(row.count);
    return (
      <button
        {...common}
        className={row.kind === 'quiet' ? 'tl-lock-name' : 'tl-fold-name'}
        aria-expanded={row.isOpen}
        onClick={() => actions.toggleOpen(row)}
      >
        <Fold isOpen={row.isOpen} /> {text}
      </button>
    );
  }
  if (row.kind === 'thread') {
    return (
      <>
        <button {...common} className="tl-thread-name" onClick={() => timeline.set({ focus: row.key })}>
          <Person lockId={row.lockId} id={row.holder} most={24} isAmongLocks={areSeveral} />
          {timeline.goneSince.has(clientOf(row.holder)) && <GoneSign />}
        </button>
        <LaneTools row={row} />
      </>
    );
  }
  const place = placeOf(row.lockId);
  return (
    <DraggableLock row={row}>
      <button {...common} className="tl-lock-name" aria-expanded={row.isOpen} onClick={() => actions.toggleOpen(row)}>
        <Fold isOpen={row.isOpen} /> <NameText text={nameInId(row.lockId)} most={48} isOneLine />
        {place !== '' && <span className="where">{place}</span>}
      </button>
      <LaneTools row={row} />
    </DraggableLock>
  );
}

function GoneSign() {
  const { lock } = useWords();
  return (
    <span className="tl-gone" title={lock.presenceMeaning.gone}>
      <span aria-hidden="true">{PRESENCE_SIGNS.gone}</span>
      <span className="only-heard">{lock.presence.gone}</span>
    </span>
  );
}

function Fold({ isOpen }: { isOpen: boolean }) {
  return (
    <span className="tl-fold">
      <Icon of={isOpen ? ChevronDown : ChevronRight} />
    </span>
  );
}

/** A lock's row can be dragged to another lock's place; Alt with the arrow keys does the same. */
function DraggableLock({ row, children }: { row: Row & { kind: 'lock' }; children: React.ReactNode }) {
  const { actions } = useWorkspace();
  const [isOver, setOver] = useState(false);
  const isOurs = (event: DragEvent) => event.dataTransfer.types.includes(DRAGGED);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dragging is a second way, the keys are the first
    <div
      className={isOver ? 'tl-drag is-over' : 'tl-drag'}
      draggable
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, row.lockId)}
      onDragOver={(event) => {
        if (!isOurs(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        actions.moveLock(event.dataTransfer.getData(DRAGGED), row.lockId);
      }}
    >
      {children}
    </div>
  );
}

function LaneTools({ row }: { row: Row & { kind: 'lock' | 'thread' } }) {
  const { common, timeline: words } = useWords();
  const { actions } = useWorkspace();
  const isPinned = useTimeline((state) => state.pinned.has(linkKey(row.lockId)));
  const keep = (event: PointerEvent) => event.stopPropagation();
  return (
    <span className={isPinned && row.kind === 'lock' ? 'tl-tools is-pinned' : 'tl-tools'} onPointerDown={keep}>
      {row.kind === 'lock' && (
        <button
          type="button"
          tabIndex={-1}
          aria-pressed={isPinned}
          aria-label={words.pinToTop(nameInId(row.lockId).slice(0, 60))}
          title={common.withKey(words.pinTitle, keyOf('pin'))}
          onClick={() => actions.togglePin(row.lockId)}
        >
          {isPinned ? '◆' : '◇'}
        </button>
      )}
      <button
        type="button"
        tabIndex={-1}
        aria-label={words.hideLane}
        title={common.withKey(words.hideTitle, keyOf('hide'))}
        onClick={() => actions.hide(row)}
      >
        ✕
      </button>
    </span>
  );
}

function KeyName({ lockId }: { lockId: string }) {
  const { lock, timeline: words } = useWords();
  const { timeline } = useWorkspace();
  useHistoryVersion();
  const track = timeline.tracks.last(lockId, Date.now());
  return (
    <span className="tl-key-name">
      {words.keyInRedis}
      {track && (
        <small className="quiet">
          {track.leaseMs > 0
            ? words.keyFacts(lock.kind[track.kind], durationText(track.leaseMs))
            : lock.kind[track.kind]}
        </small>
      )}
    </span>
  );
}

function useScroll(scroller: HTMLElement): { top: number; height: number } {
  const [place, setPlace] = useState({ top: scroller.scrollTop, height: scroller.clientHeight });
  useEffect(() => {
    const note = () => setPlace({ top: scroller.scrollTop, height: scroller.clientHeight });
    const size = new ResizeObserver(note);
    size.observe(scroller);
    scroller.addEventListener('scroll', note, { passive: true });
    return () => {
      size.disconnect();
      scroller.removeEventListener('scroll', note);
    };
  }, [scroller]);
  return place;
}
