import { hasZoomed } from '../../choices/zoomed.ts';
import type { TimeSpan } from '../../data/window/time-span.ts';
import { fitted, isSameSpan, panned, zoomedAt } from '../layout/viewport.ts';
import { foldLanes } from './lane-folds.ts';
import { followed, withStep, withZoom } from './timeline-state.ts';
import type { TimelineStore } from './timeline-store.ts';

/** The movements of the view. The last 50 jumps can be undone; panning and smooth zooming are not jumps. */
export class ViewActions {
  readonly timeline: TimelineStore;

  constructor(timeline: TimelineStore) {
    this.timeline = timeline;
  }

  pan(micros: number): void {
    this.timeline.show(panned(this.timeline.view(), micros));
  }

  zoom(factor: number, anchor?: number): void {
    hasZoomed.choose('yes');
    const view = this.timeline.view();
    this.timeline.show(zoomedAt(view, anchor ?? (view.from + view.to) / 2, factor));
  }

  /** Remembers the view on screen: `zoomBack` returns to it. */
  noteView(): void {
    const { undo, zooms } = this.timeline.get();
    this.timeline.set({ undo: withStep(undo, { view: this.timeline.view(), zooms }) });
  }

  /** Shows another range. `zoomBack` returns to the range before it. */
  jump(span: TimeSpan, zooms = this.timeline.get().zooms): void {
    this.noteView();
    this.timeline.show(span);
    this.timeline.set({ zooms });
    foldLanes(this.timeline);
  }

  /** Zooms in and adds a breadcrumb. */
  commitZoom(span: TimeSpan): void {
    hasZoomed.choose('yes');
    const { zooms } = this.timeline.get();
    const base = zooms.length === 0 ? [this.timeline.view()] : zooms;
    this.jump(span, withZoom(base, span));
    this.timeline.set({ brush: null });
  }

  /** Undoes the last jump. Without one, as after a reload, goes one breadcrumb back. */
  zoomBack(): void {
    const { zooms, undo } = this.timeline.get();
    const last = undo.at(-1);
    if (last) {
      this.timeline.show(last.view);
      this.timeline.set({ undo: undo.slice(0, -1), zooms: last.zooms });
      foldLanes(this.timeline);
      return;
    }
    const rest = isSameSpan(zooms.at(-1) ?? null, this.timeline.view()) ? zooms.slice(0, -1) : zooms;
    const target = rest.at(-1);
    if (target) this.timeline.show(target);
    this.timeline.set({ zooms: rest.length <= 1 ? [] : rest });
  }

  showAll(): void {
    const { from, to } = this.timeline.extent();
    this.jump(fitted(from, to, 0.02), []);
    this.timeline.set({ brush: null });
  }

  /** Shows everything in memory. A live view stays live and follows now. */
  showEverything(): void {
    if (!this.timeline.isLive()) return this.showAll();
    this.timeline.set(followed('all'));
    foldLanes(this.timeline);
  }

  toStart(): void {
    const { from } = this.timeline.extent();
    const view = this.timeline.view();
    this.jump(panned(view, from - view.from - (view.to - view.from) * 0.05));
  }
}
