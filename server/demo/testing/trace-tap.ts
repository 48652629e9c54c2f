import { connect } from 'node:net';
import { CHANNEL_PATTERNS } from '../../../shared/events/names/names.ts';
import { UNESCAPED } from '../../../testing/traces/trace-file.ts';
import { watchArrivals } from '../../redis/testing/arrivals.ts';

/** Everything a separate RESP3 connection receives, in the format of the recorded traces. */
export type TraceTap = {
  /**
   * The trace up to now: MONITOR lines unchanged, pushes as JSON. MONITOR shows a command after its client has the
   * reply, so this sends a mark and waits for it. Rejects with the trace so far if the mark does not arrive in time.
   */
  caughtUp(): Promise<string>;
  close(): void;
};

const MARK = '"caught up ';
/** A mark with a backslash: as sent, and as written by a server that escapes backslashes. */
const ESCAPED_MARK = `${MARK}\\\\"`;
/** The same mark, as written by a server that does not escape them. */
const UNESCAPED_MARK = `${MARK}\\"`;

/**
 * Subscribes to key events and lock channels, and starts MONITOR. If `keyEvents` is null, the setting of the server is
 * kept.
 */
export async function tapTrace(url: string, keyEvents: 'KA' | null = 'KA'): Promise<TraceTap> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const lines: string[] = [];
  let rest = '';
  let isUnescaped = false;
  const text = () => {
    const kept = lines.filter((line) => !line.startsWith('> ["psubscribe"') && !line.includes(MARK));
    return (isUnescaped ? [UNESCAPED, ...kept] : kept).join('\n');
  };
  const arrivals = watchArrivals(text);
  socket.on('error', arrivals.fail);
  socket.setEncoding('latin1');
  socket.on('data', (chunk: Buffer | string) => {
    rest += String(chunk);
    for (let frame = frameIn(rest); frame; frame = frameIn(rest)) {
      rest = rest.slice(frame.length);
      if (Array.isArray(frame.value)) lines.push(`> ${JSON.stringify(frame.value)}`);
      else if (/^\d+\.\d+ \[/.test(frame.value)) lines.push(frame.value);
    }
    arrivals.check();
  });
  const patterns = [keyEvents === null ? '__key*@*__:*' : '__keyspace@*__:*', ...CHANNEL_PATTERNS];
  const setting = keyEvents === null ? '' : `CONFIG SET notify-keyspace-events ${keyEvents}\r\n`;
  socket.write(`HELLO 3\r\n${setting}PSUBSCRIBE ${patterns.join(' ')}\r\nMONITOR\r\n`);
  /** Sends a mark on another connection and waits until a line ends with one of its forms. */
  const sendMark = async (mark: string, ...forms: string[]) => {
    const marker = connect(Number(port), hostname).on('error', arrivals.fail);
    marker.write(`ECHO ${mark}\r\n`);
    await arrivals.until(() => lines.some((line) => forms.some((form) => line.endsWith(form))));
    marker.destroy();
  };
  let marks = 0;
  await arrivals.until(() => lines.length >= patterns.length);
  await sendMark(ESCAPED_MARK, ESCAPED_MARK, UNESCAPED_MARK);
  isUnescaped = lines.some((line) => line.endsWith(UNESCAPED_MARK));
  return {
    async caughtUp() {
      const mark = `${MARK}${++marks}"`;
      await sendMark(mark, mark);
      return text();
    },
    close: () => socket.destroy(),
  };
}

/** The first complete frame: a line, or a push with its words; `undefined` if it is incomplete. */
function frameIn(text: string): { value: string | string[]; length: number } | undefined {
  const end = text.indexOf('\r\n');
  if (end === -1) return undefined;
  const head = text.slice(1, end);
  const after = end + 2;
  if (text[0] === '$') {
    const to = after + Number(head);
    return text.length < to + 2 ? undefined : { value: text.slice(after, to), length: to + 2 };
  }
  if (text[0] !== '>' && text[0] !== '%') return { value: head, length: after };
  const words: string[] = [];
  let at = after;
  for (let n = Number(head) * (text[0] === '%' ? 2 : 1); n > 0; n--) {
    const word = frameIn(text.slice(at));
    if (!word) return undefined;
    words.push(String(word.value));
    at += word.length;
  }
  return { value: text[0] === '>' ? words : '', length: at };
}
