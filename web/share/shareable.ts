import type { RedisTime } from '../../shared/base/time.ts';
import type { Route } from '../url/route.ts';

/** What a menu offers to share. Taken when the menu opens, so that nothing changes while the user reads. */
export type Shareable = {
  /** The page, at the shared instant. */
  readonly route: Route;
  readonly at: RedisTime;
  /** Names what is shared, in the text of the link and in the names of files. */
  readonly name: string;
  /** Sentences in Markdown. */
  readonly sentences: readonly string[];
  /** The range of the recording, before 2 minutes are added to each side. */
  readonly range: { readonly from: RedisTime; readonly to: RedisTime };
  /** The sources of the recording: one file for each. */
  readonly sources: readonly string[];
  /** The picture as a PNG file; null if there is nothing to draw. Absent: no picture is offered. */
  readonly picture?: () => Promise<Blob | null>;
};
