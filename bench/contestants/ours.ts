import { LineReader } from '../../server/redis/lines/line-reader.ts';
import { RefusedRights } from '../../server/redis/rights/refused-rights.ts';
import type { FeedSink } from '../../server/redis/stream/feed-sink.ts';
import { OrderedFeed } from '../../server/redis/stream/ordered-feed.ts';
import { Pipeline } from '../../server/watch/source/pipeline.ts';
import { patternsFor } from '../../server/watch/terms/levels.ts';
import { parseRedisUrl } from '../../shared/base/redis-url.ts';
import { redisTime } from '../../shared/base/time.ts';
import { answerParent, urlToWatch } from './answer-parent.ts';

/**
 * The pipeline of Lockscope's worker thread at level `monitor`: reading, filtering, parsing, interpreting, storing the
 * lines behind each event. Events are counted and dropped. Not included: the recording, and snapshots and client lists,
 * whose cost depends on time and not on lines.
 */
const url = parseRedisUrl(urlToWatch());
if (!url.ok) throw new Error(url.error);
let events = 0;
const reader = new LineReader();
const pipeline = new Pipeline(
  'redis',
  (interpreted) => {
    events += interpreted.length;
  },
  undefined,
  1,
  (place, count) => reader.again(place, count),
);
pipeline.interpreter.keys.onNew = (key) => reader.addKey(key.name);
const sink: FeedSink = {
  onSignal: (signal) => pipeline.add(signal),
  onEffects: () => {},
  onQuiet: () => pipeline.settle(),
  onBeat: () => {},
  onHole: () => {},
  onRejected: (reason) => {
    throw new Error(reason);
  },
  onOtherRole: () => {},
  onInvalidated: () => {},
  onClose: () => {},
};
const permits = { rights: new RefusedRights(), match: [] };
const feed = await OrderedFeed.connect(url.value, 'monitor', reader, sink, permits);
await feed.start(patternsFor('monitor', feed.capabilities, []));
pipeline.watch({ kind: 'watch', at: redisTime(0), level: 'monitor', isPushFirst: feed.isPushFirst });
feed.flow();
answerParent(() => ({ events, lines: feed.lines }));
