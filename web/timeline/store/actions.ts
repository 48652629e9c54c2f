import type { RedisTime } from '../../../shared/base/time.ts';
import type { RowCache } from '../layout/row-cache.ts';
import { laneKey, type Row, wishKey } from '../layout/rows.ts';
import type { Span } from '../layout/scale.ts';
import { centred, fitted, isSameSpan, panned, revealing, zoomedAt } from '../layout/viewport.ts';
import { causeOf, effectOf, markById, markOfEvent } from '../model/causes.ts';
import { endOf, type Lane, type Mark, startOf, type Track } from '../model/marks.ts';
import { reordered, toggled, withZoom } from './timeline-state.ts';
import type { TimelineStore } from './timeline-store.ts';

/** Everything a user can do to the picture; gestures, keys and buttons all call these. */
export class TimelineActions {
  readonly timeline: TimelineStore;
  readonly rows: RowCache;

  constructor(timeline: TimelineStore, rows: RowCache) {
    this.timeline = timeline;
    this.rows = rows;
  }

  pan(micros: number): void {
    this.timeline.show(panned(this.timeline.view(), micros));
  }

  zoom(factor: number, anchor?: number): void {
    const view = this.timeline.view();
    this.timeline.show(zoomedAt(view, anchor ?? (view.from + view.to) / 2, factor));
  }

  /** Selects a mark and brings it into view. */
  select(track: Track, mark: Mark): void {
    this.timeline.pause();
    const view = this.timeline.view();
    const at = startOf(mark);
    const end = endOf(mark, this.timeline.now());
    const isInSight = end >= view.from && at <= view.to;
    const open = this.timeline.get().open;
    this.timeline.set({
      selected: mark.id,
      selectedLock: track.id,
      focus: laneKey(track.id, mark.holder),
      ...(open.has(track.id) ? {} : { open: new Set([...open, track.id]) }),
      ...(isInSight ? {} : { view: revealing(view, at) }),
    });
  }

  /** Selects the mark of an event of the selected lock. */
  selectEvent(seq: number): void {
    const track = this.selection()?.track;
    if (track) this.selectIn(track, seq);
  }

  /** Selects the mark of an event of this lock, if there is one. */
  selectIn(track: Track, seq: number): void {
    const mark = markOfEvent(track, seq);
    if (mark) this.select(track, mark);
  }

  clearSelection(): void {
    this.timeline.set({ selected: null, selectedLock: null, areLinesOpen: false });
  }

  selection(): { track: Track; mark: Mark } | null {
    const { selected, selectedLock } = this.timeline.get();
    if (selected === null || selectedLock === null) return null;
    const track = this.timeline.tracks.get(selectedLock, Date.now());
    const mark = track ? markById(track, selected) : undefined;
    return track && mark ? { track, mark } : null;
  }

  toCause(): void {
    this.#follow(causeOf);
  }

  toEffect(): void {
    this.#follow(effectOf);
  }

  /** The next mark on the focused lane, or the one before. */
  stepMark(step: 1 | -1): void {
    const chosen = this.selection();
    const focus = this.#focusedLane() ?? this.#firstLane();
    if (!focus) return;
    const marks = marksInOrder(focus.lane);
    const isHere = chosen && chosen.track.id === focus.track.id && chosen.mark.holder === focus.lane.holder;
    const at = isHere ? marks.findIndex((mark) => mark.id === chosen.mark.id) : -1;
    const next = at === -1 ? this.#nearest(marks, step) : marks[at + step];
    if (next) this.select(focus.track, next);
  }

  /** Centres the selection; if it is already centred, zooms to it. */
  showSelection(): void {
    const chosen = this.selection();
    if (!chosen) return;
    const from = startOf(chosen.mark);
    const to = endOf(chosen.mark, this.timeline.now());
    const view = this.timeline.view();
    const middle = centred(view, (from + to) / 2);
    this.timeline.show(Math.abs(middle.from - view.from) > (view.to - view.from) / 200 ? middle : fitMark(from, to));
  }

  fitSelection(): void {
    const chosen = this.selection();
    if (chosen) this.commitZoom(fitMark(startOf(chosen.mark), endOf(chosen.mark, this.timeline.now())));
  }

  /** Zooms in and adds a breadcrumb. */
  commitZoom(span: Span): void {
    const { zooms } = this.timeline.get();
    const before = this.timeline.view();
    this.timeline.show(span);
    const base = zooms.length === 0 ? [before] : zooms;
    this.timeline.set({ zooms: withZoom(base, span), brush: null });
  }

  zoomToBrush(): void {
    const { brush } = this.timeline.get();
    if (brush) this.commitZoom(brush);
    else this.fitSelection();
  }

  /** One breadcrumb back. */
  zoomBack(): void {
    const { zooms } = this.timeline.get();
    const rest = isSameSpan(zooms.at(-1) ?? null, this.timeline.view()) ? zooms.slice(0, -1) : zooms;
    const target = rest.at(-1);
    if (target) this.timeline.show(target);
    this.timeline.set({ zooms: rest.length <= 1 ? [] : rest });
  }

  showAll(): void {
    const { from, to } = this.timeline.extent();
    this.timeline.show(fitted(from, to, 0.02));
    this.timeline.set({ zooms: [], brush: null });
  }

  toStart(): void {
    const { from } = this.timeline.extent();
    const view = this.timeline.view();
    this.timeline.show(panned(view, from - view.from - (view.to - view.from) * 0.05));
  }

  /** Moves the cursor by some events of the shown locks; a negative number moves back. */
  stepEvent(steps: number): void {
    const at = this.timeline.cursorAt();
    const shown = new Set(this.rows.get().rows.flatMap((row) => (row.kind === 'lock' ? [row.lockId] : [])));
    const times: RedisTime[] = [];
    for (const id of shown) for (const event of this.timeline.window.eventsOf(id)) times.push(event.at);
    times.sort((a, b) => a - b);
    const side = steps > 0 ? times.filter((time) => time > at) : times.filter((time) => time < at).reverse();
    const next = side[Math.min(Math.abs(steps), side.length) - 1];
    if (next !== undefined) this.putCursor(next);
  }

  putCursor(at: RedisTime): void {
    this.timeline.pause(at);
    const view = this.timeline.view();
    if (at < view.from || at > view.to) this.timeline.set({ view: revealing(view, at) });
  }

  /** Grows the brush from the cursor; the keyboard's form of dragging. */
  growBrush(micros: number): void {
    this.timeline.pause();
    const at = this.timeline.cursorAt();
    const { brush } = this.timeline.get();
    const edge = brush === null ? at : brush.from === at ? brush.to : brush.from;
    const moved = (edge + micros) as RedisTime; // microseconds plus microseconds
    this.timeline.set({ brush: { from: Math.min(at, moved) as RedisTime, to: Math.max(at, moved) as RedisTime } });
  }

  focusRow(step: 1 | -1): void {
    const rows = this.rows.get().rows.filter((row) => row.kind !== 'key');
    const at = rows.findIndex((row) => row.key === this.timeline.get().focus);
    const next = rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))];
    if (next) this.timeline.set({ focus: next.key });
  }

  toggleOpen(row: Row): void {
    const { open, isQuietOpen } = this.timeline.get();
    if (row.kind === 'quiet') this.timeline.set({ isQuietOpen: !isQuietOpen });
    else this.timeline.set({ open: toggled(open, row.lockId) });
  }

  togglePin(lockId: string): void {
    this.timeline.set({ pinned: toggled(this.timeline.get().pinned, wishKey(lockId)) });
  }

  hide(row: Row): void {
    if (row.kind === 'quiet' || row.kind === 'key') return;
    const key = wishKey(row.lockId, row.kind === 'thread' ? row.holder : undefined);
    this.timeline.set({ hidden: new Set([...this.timeline.get().hidden, key]) });
  }

  showHidden(): void {
    this.timeline.set({ hidden: new Set() });
  }

  moveLock(id: string, target: string): void {
    this.timeline.set({ order: reordered(this.timeline.get().order, id, target) });
  }

  /** Moves a lock up or down among the shown ones. */
  moveLockBy(id: string, step: 1 | -1): void {
    const locks = this.rows.get().rows.flatMap((row) => (row.kind === 'lock' ? [row.lockId] : []));
    const target = locks[locks.indexOf(id) + step];
    if (target !== undefined) this.moveLock(id, target);
  }

  focusedRow(): Row | undefined {
    const { focus } = this.timeline.get();
    return this.rows.get().rows.find((row) => row.key === focus);
  }

  #follow(step: (track: Track, mark: Mark) => Mark | undefined): void {
    const chosen = this.selection();
    const next = chosen ? step(chosen.track, chosen.mark) : undefined;
    if (chosen && next) this.select(chosen.track, next);
  }

  #focusedLane(): { track: Track; lane: Lane } | null {
    const row = this.focusedRow();
    return row?.kind === 'thread' ? this.#laneOf(row.lockId, row.holder) : null;
  }

  #firstLane(): { track: Track; lane: Lane } | null {
    const row = this.rows.get().rows.find((other) => other.kind === 'thread');
    return row?.kind === 'thread' ? this.#laneOf(row.lockId, row.holder) : null;
  }

  #laneOf(lockId: string, holder: string): { track: Track; lane: Lane } | null {
    const track = this.timeline.tracks.get(lockId, Date.now());
    const lane = track?.lanes.find((other) => other.holder === holder);
    return track && lane ? { track, lane } : null;
  }

  #nearest(marks: readonly Mark[], step: 1 | -1): Mark | undefined {
    const view = this.timeline.view();
    if (step === 1) return marks.find((mark) => startOf(mark) >= view.from) ?? marks.at(-1);
    return marks.findLast((mark) => startOf(mark) <= view.to) ?? marks[0];
  }
}

/** A lane's marks in order of time; at the same time, in order of `seq`. */
export function marksInOrder(lane: Lane): Mark[] {
  return [...lane.spans, ...lane.runs, ...lane.points].sort((a, b) => startOf(a) - startOf(b) || a.seq - b.seq);
}

function fitMark(from: number, to: number): Span {
  return fitted(from, to, 0.15);
}
