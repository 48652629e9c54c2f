import type { RedisTime } from '../../../shared/base/time.ts';
import type { TimeSpan } from '../../data/window/time-span.ts';
import { laneKey, linkKey, type Row } from '../layout/rows.ts';
import { centred, fitted, revealing } from '../layout/viewport.ts';
import { causeOf, effectOf, markById, markOfEvent, partOf } from '../model/causes.ts';
import { fitOf } from '../model/fit.ts';
import { endOf, type Lane, type Mark, marksInOrder, startOf, type Track } from '../model/marks.ts';
import { type ProblemTick, problemBeside } from '../model/problem-ticks.ts';
import { unfoldLanes } from './lane-folds.ts';
import type { RowCache } from './row-cache.ts';
import { reordered, toggled } from './timeline-state.ts';
import type { TimelineStore } from './timeline-store.ts';
import { ViewActions } from './view-actions.ts';

/** At least 10 s and at most 10 min of a problem are shown, with half of that time before it and after it. */
const SHORTEST_PROBLEM_MICROS = 10_000_000;
const LONGEST_PROBLEM_MICROS = 600_000_000;

type SelectOptions = { readonly clickedAt?: RedisTime | undefined; readonly keepsCursor?: boolean | undefined };

/** Everything a user can do to the picture; gestures, keys and buttons all call these. */
export class TimelineActions extends ViewActions {
  readonly rows: RowCache;

  constructor(timeline: TimelineStore, rows: RowCache) {
    super(timeline);
    this.rows = rows;
  }

  /**
   * Selects a mark, brings it into view and puts the cursor at its start. If the start is left of the view, the cursor
   * goes to `clickedAt`. Without a click it stays if the mark lasts there, or else goes to the left edge of the view.
   * `keepsCursor`: the cursor stays in any case.
   */
  select(track: Track, mark: Mark, { clickedAt, keepsCursor = false }: SelectOptions = {}): void {
    const at = startOf(mark);
    const end = endOf(mark, this.timeline.now());
    const view = this.timeline.view();
    const isInSight = end >= view.from && at <= view.to;
    if (!isInSight) this.jump(revealing(view, at));
    this.timeline.pause(
      keepsCursor ? undefined : cursorOn({ at, end }, this.timeline.view(), this.timeline.cursorAt(), clickedAt),
    );
    const open = this.timeline.get().open;
    this.timeline.set({
      selected: mark.id,
      selectedLock: track.id,
      noLink: null,
      focus: laneKey(track.id, mark.holder),
      ...(open.has(track.id) ? {} : { open: new Set([...open, track.id]) }),
    });
    unfoldLanes(this.timeline);
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
    this.timeline.set({ selected: null, selectedLock: null, noLink: null, areLinesOpen: false });
  }

  selection(): { track: Track; mark: Mark } | null {
    const { selected, selectedLock } = this.timeline.get();
    if (selected === null || selectedLock === null) return null;
    const track = this.timeline.tracks.get(selectedLock, Date.now());
    const mark = track ? markById(track, selected) : undefined;
    return track && mark ? { track, mark } : null;
  }

  /** Selects the cause of the selected mark; without a known cause, the hold or wait in which the mark happened. */
  toCause(options?: SelectOptions): void {
    this.#follow((track, mark) => causeOf(track, mark) ?? partOf(track, mark), 'cause', options);
  }

  toEffect(options?: SelectOptions): void {
    this.#follow(effectOf, 'effect', options);
  }

  /** Zooms to the next problem after the cursor; with `step` -1, to the last problem before it. */
  toProblem(step: 1 | -1): void {
    const tick = problemBeside(this.timeline.ticks(), this.timeline.cursorAt(), step);
    if (tick) this.showProblem(tick);
  }

  /** Zooms to a problem, puts the cursor at its beginning, and opens its lock. */
  showProblem({ from, to, lockId }: ProblemTick): void {
    const end = Math.max(
      from + SHORTEST_PROBLEM_MICROS,
      Math.min(to ?? this.timeline.now(), from + LONGEST_PROBLEM_MICROS),
    );
    this.commitZoom(fitted(from, end, 0.5));
    this.timeline.pause(from);
    const { open } = this.timeline.get();
    if (lockId !== null) this.timeline.set({ open: new Set([...open, lockId]), focus: lockId });
  }

  /** Selects the next or the previous mark on the focused lane, or on the first lane if no lane is focused. */
  stepMark(step: 1 | -1, options?: SelectOptions): void {
    const chosen = this.selection();
    const focus = this.#focusedLane() ?? this.#firstLane();
    if (!focus) return;
    const marks = marksInOrder(focus.lane);
    const isHere = chosen && chosen.track.id === focus.track.id && chosen.mark.holder === focus.lane.holder;
    const at = isHere ? marks.findIndex((mark) => mark.id === chosen.mark.id) : -1;
    const next = at === -1 ? this.#nearest(marks, step) : marks[at + step];
    if (next) this.select(focus.track, next, options);
  }

  /** Centres the selected mark; if it is already centred, zooms to it. */
  showSelection(): void {
    const chosen = this.selection();
    if (!chosen) return;
    const from = startOf(chosen.mark);
    const to = endOf(chosen.mark, this.timeline.now());
    const view = this.timeline.view();
    const middle = centred(view, (from + to) / 2);
    const isCentred = Math.abs(middle.from - view.from) <= (view.to - view.from) / 200;
    this.jump(isCentred ? this.#fitOf(chosen) : middle);
  }

  fitSelection(): void {
    const chosen = this.selection();
    if (chosen) this.commitZoom(this.#fitOf(chosen));
  }

  zoomToBrush(): void {
    const { brush } = this.timeline.get();
    if (brush) this.commitZoom(brush);
    else this.fitSelection();
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

  /** Grows the brush from the cursor: for the keyboard, what dragging is for the pointer. */
  growBrush(micros: number): void {
    this.timeline.pause();
    const at = this.timeline.cursorAt();
    const { brush } = this.timeline.get();
    const edge = brush === null ? at : brush.from === at ? brush.to : brush.from;
    const moved = (edge + micros) as RedisTime; // the sum of two times in microseconds
    this.timeline.set({ brush: { from: Math.min(at, moved) as RedisTime, to: Math.max(at, moved) as RedisTime } });
  }

  focusRow(step: 1 | -1): void {
    const rows = this.rows.get().rows.filter((row) => row.kind !== 'key');
    const at = rows.findIndex((row) => row.key === this.timeline.get().focus);
    const next = rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))];
    if (next) this.timeline.set({ focus: next.key });
  }

  toggleOpen(row: Row): void {
    const { open, openFolds, openQuiet } = this.timeline.get();
    if (row.kind === 'empty') this.timeline.set({ openFolds: toggled(openFolds, row.lockId) });
    else if (row.kind === 'quiet') this.timeline.set({ openQuiet: toggled(openQuiet, row.key) });
    else this.timeline.set({ open: toggled(open, row.lockId) });
  }

  togglePin(lockId: string): void {
    this.timeline.set({ pinned: toggled(this.timeline.get().pinned, linkKey(lockId)) });
  }

  hide(row: Row): void {
    if (row.kind !== 'lock' && row.kind !== 'thread') return;
    const key = linkKey(row.lockId, row.kind === 'thread' ? row.holder : undefined);
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

  #follow(
    step: (track: Track, mark: Mark) => Mark | undefined,
    link: 'cause' | 'effect',
    options?: SelectOptions,
  ): void {
    const chosen = this.selection();
    if (!chosen) return;
    const next = step(chosen.track, chosen.mark);
    if (next) this.select(chosen.track, next, options);
    else this.timeline.set({ noLink: link });
  }

  #fitOf({ track, mark }: { track: Track; mark: Mark }): TimeSpan {
    const { from, to } = fitOf(track, mark, this.timeline.now());
    return fitted(from, to, 0.15);
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

/** Where the cursor goes when a mark is selected: to its start, or to an instant of it that is in view. */
function cursorOn(
  mark: { readonly at: RedisTime; readonly end: RedisTime },
  view: TimeSpan,
  cursor: RedisTime,
  clickedAt: RedisTime | undefined,
): RedisTime {
  if (mark.at >= view.from) return mark.at;
  if (clickedAt !== undefined) return clickedAt;
  return cursor >= view.from && cursor <= Math.min(mark.end, view.to) ? cursor : view.from;
}
