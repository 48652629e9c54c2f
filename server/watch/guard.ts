/** Our own output buffer on the server, or our lag, past which watching everything would do harm. */
const MOST_BUFFERED = 64 * 1024 * 1024;
const MOST_LAG_MS = 10_000;

/**
 * Why we should step down from MONITOR, in one sentence; undefined while we keep up. A reader that cannot keep up
 * would fill the server's memory, since clients of its class have no output limit by default.
 */
export function harmOf(bufferedBytes: number, lagMs: number): string | undefined {
  if (bufferedBytes > MOST_BUFFERED) {
    return `${Math.round(bufferedBytes / 1024 / 1024)} MB of MONITOR output waited in Redis.`;
  }
  return lagMs > MOST_LAG_MS ? `We were ${Math.round(lagMs / 1000)} s behind Redis.` : undefined;
}
