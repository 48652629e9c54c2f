import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { majorVersion } from '../connection/capabilities.ts';
import type { RawConnection } from '../connection/raw-connection.ts';
import { RedisError, type Reply } from '../connection/reply.ts';
import { startTimer } from '../connection/surroundings.ts';
import { microsFromTime } from '../reads/read-replies.ts';

const PATIENCE_MS = 1000;

/** How this server writes MONITOR lines and pushes. */
type WayOfWriting = {
  /**
   * True: a push comes before the MONITOR line of the command that caused it (Redis 7 and later, Valkey); else after.
   */
  readonly isPushFirst: boolean;
  /** Backslashes in lines are not escaped (Valkey 8.1.0 and 8.1.1). */
  readonly isUnescaped: boolean;
};

/** A backslash, and its escaped form in lines. */
const [MESSAGE, ESCAPED] = ['\\', '\\\\'];

/**
 * Sends MONITOR, and finds out how this server writes. If the server does not show that, its version decides. `onBegun`
 * is called before anything that follows the reply is passed on, with Redis's time just before MONITOR: the reply may
 * arrive much later. Undefined: this user may not read the time.
 */
export async function beginMonitor(
  stream: RawConnection,
  publisher: RawConnection,
  { channel, version, onBegun }: { channel: string; version: string; onBegun(at: RedisTime | undefined): void },
): Promise<WayOfWriting> {
  const canSubscribe = await stream.subscribe('SUBSCRIBE', channel).then(
    () => true,
    () => false, // this user may not subscribe here
  );
  await new Promise<void>((resolve, reject) => {
    const begin = ([time = null, reply]: Reply[]): void => {
      if (reply instanceof RedisError) return reject(reply);
      const at = microsFromTime(time);
      onBegun(at > 0 ? redisTime(at) : undefined);
      resolve();
    };
    stream.ordered([['TIME'], ['MONITOR']], begin, reject);
  });
  const way = canSubscribe ? await probePushOrder(stream, publisher, channel) : undefined;
  return way ?? { isPushFirst: majorVersion(version) >= 7, isUnescaped: false };
}

/**
 * Publishes once to ourselves, and checks how the server writes it. `undefined` if the line or the push did not arrive.
 *
 * `stream` monitors and is subscribed to `channel`; its other frames go to its handlers as before.
 */
async function probePushOrder(
  stream: RawConnection,
  publisher: RawConnection,
  channel: string,
): Promise<WayOfWriting | undefined> {
  const before = stream.handlers;
  const way = await new Promise<WayOfWriting | undefined>((resolve) => {
    let isPushFirst: boolean | undefined;
    let isUnescaped = false;
    const note = (isPush: boolean) => {
      if (isPushFirst === undefined) isPushFirst = isPush;
      else resolve({ isPushFirst, isUnescaped });
    };
    stream.handlers = {
      ...before,
      onLine: (buffer, start, end) => {
        const line = buffer.toString('latin1', start, end);
        const isRaw = line.endsWith(`"${channel}" "${MESSAGE}"`);
        if (!isRaw && !line.endsWith(`"${channel}" "${ESCAPED}"`)) return before.onLine?.(buffer, start, end);
        isUnescaped = isRaw;
        note(false);
      },
      onPush: (values) => {
        if (values.includes(channel)) note(true);
        else before.onPush?.(values);
      },
    };
    startTimer(() => resolve(undefined), PATIENCE_MS);
    publisher.pipeline([['PUBLISH', channel, MESSAGE]]).catch(() => resolve(undefined));
  });
  stream.handlers = before;
  return way;
}
