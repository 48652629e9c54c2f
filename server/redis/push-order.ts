import type { RawConnection } from './raw-connection.ts';

const PATIENCE_MS = 1000;

/**
 * Whether this server writes a push before the MONITOR line of the command that caused it (Redis 7 and later,
 * Valkey) or after it (Redis 6): publishes once to ourselves and looks which comes first. Undefined: neither came.
 *
 * `stream` monitors and is subscribed to `channel`; its other frames go to its handlers as before.
 */
export async function probePushOrder(
  stream: RawConnection,
  publisher: RawConnection,
  channel: string,
): Promise<'push-first' | 'line-first' | undefined> {
  const before = stream.handlers;
  const first = await new Promise<'push-first' | 'line-first' | undefined>((resolve) => {
    const seen: ('push-first' | 'line-first')[] = [];
    const note = (what: 'push-first' | 'line-first') => {
      if (seen.push(what) === 2) resolve(seen[0]);
    };
    stream.handlers = {
      ...before,
      onLine: (buffer, start, end) => {
        if (buffer.toString('latin1', start, end).includes(`"${channel}" ""`)) note('line-first');
        else before.onLine?.(buffer, start, end);
      },
      onPush: (values) => {
        if (values.includes(channel)) note('push-first');
        else before.onPush?.(values);
      },
    };
    setTimeout(resolve, PATIENCE_MS, undefined);
    publisher.pipeline([['PUBLISH', channel, '']]).catch(() => resolve(undefined));
  });
  stream.handlers = before;
  return first;
}
