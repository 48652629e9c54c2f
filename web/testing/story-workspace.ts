import { story } from '../../testing/stories/story.ts';
import { followNow } from '../cursor/cursor.ts';
import { LiveStore } from '../data/live/live-store.ts';
import { type Workspace, workspaceOf } from '../timeline/store/workspace.ts';
import { rangeOf } from './loaded-range.ts';

/** Returns the workspace of a live timeline that has loaded the events of a story; the last of them is now. */
export function workspaceWith(text: string): Workspace {
  const events = story(text);
  const workspace = workspaceOf(new LiveStore());
  const { timeline } = workspace;
  followNow();
  timeline.window.replace(rangeOf(events));
  const first = events[0];
  if (first) timeline.setMemory({ oldestAt: first.at, hasDropped: false });
  timeline.arrange();
  return workspace;
}
