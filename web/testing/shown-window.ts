import { EventWindow } from '../data/window/event-window.ts';
import { LockTracks } from '../timeline/model/lock-tracks.ts';
import type { Track } from '../timeline/model/marks.ts';

/** A window of events with the marks that the timeline derives from it. */
export class ShownWindow extends EventWindow {
  readonly window = this;
  readonly tracks = new LockTracks(this);

  track(id: string, localNow: number): Track | null {
    return this.tracks.get(id, localNow);
  }
}
