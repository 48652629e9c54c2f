import { parseRedisUrl } from '../../shared/base/redis-url.ts';
import { LineReader } from '../redis/lines/line-reader.ts';
import { RefusedRights } from '../redis/rights/refused-rights.ts';
import type { FeedSink } from '../redis/stream/feed-sink.ts';
import { OrderedFeed } from '../redis/stream/ordered-feed.ts';

const nothing = () => undefined;

/** A sink that calls only the functions in `taken`, and ignores all other calls. */
export function makeSink(taken: Partial<FeedSink> = {}): FeedSink {
  return {
    ...{ onSignal: nothing, onEffects: nothing, onQuiet: nothing, onBeat: nothing, onHole: nothing },
    ...{ onRejected: nothing, onOtherRole: nothing, onInvalidated: nothing, onClose: nothing },
    ...taken,
  };
}

/** Connects a feed to the server at this URL, but does not start the feed. Throws if the URL cannot be read. */
export async function openFeed(
  redisUrl: string,
  level: Parameters<typeof OrderedFeed.connect>[1],
  taken: Partial<FeedSink> = {},
): Promise<OrderedFeed> {
  const url = parseRedisUrl(redisUrl);
  if (!url.ok) throw new Error(url.error);
  const permits = { rights: new RefusedRights(), match: [] };
  return OrderedFeed.connect(url.value, level, new LineReader(), makeSink(taken), permits);
}
