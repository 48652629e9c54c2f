import zlib from 'node:zlib';
import type { Socket } from 'socket.io';

/**
 * The compression that the WebSocket server and a page agree on. No message refers to an earlier one, so one compressed
 * message fits every page, whatever it was sent before. The WebSocket server itself compresses nothing: all its
 * messages are short.
 */
export const COMPRESSION = {
  threshold: Number.POSITIVE_INFINITY,
  serverNoContextTakeover: true,
  clientNoContextTakeover: true,
};

/** Below this size, compression saves less than its time is worth. */
const THRESHOLD = 512;
/** Level 1 costs half as much time as the default, for a tenth more bytes. */
const DEFLATE = { level: 1, memLevel: 7, finishFlush: zlib.constants.Z_SYNC_FLUSH };
/** The end of a flush. It is not sent; the page appends it again (RFC 7692, 7.2.1). */
const FLUSH_END_BYTES = 4;
/** The first byte of a frame that is a whole message of text (RFC 6455, 5.2), and of a compressed frame. */
const TEXT = 0x81;
const COMPRESSED_TEXT = 0xc1;

/** One connection: `Socket.conn` of socket.io. */
type Connection = Socket['conn'];
/** The transport of a connection. The types lack its WebSocket. */
type Transport = { perMessageDeflate?: unknown; readonly socket: { readonly extensions: string } };

/** A message as it is written to a connection. */
type Frame = { readonly packet: string; readonly bytes: Buffer };

/**
 * Makes a frame of a message for several pages: encoded once and compressed once. Calls `ready` with the pages that get
 * the frame:
 *
 * - at once for pages that cannot decompress, or for all pages if the message is short
 * - later for the other pages, because compression runs in another thread; without a frame if compression failed
 *
 * Throws if the message cannot be encoded.
 */
export function makeFrame<Page extends { readonly conn: Connection }>(
  message: readonly [name: string, content: unknown],
  pages: readonly Page[],
  ready: (pages: readonly Page[], frame: Frame | undefined) => void,
): void {
  const packet = `2${JSON.stringify(message)}`; // an event of socket.io
  const payload = Buffer.from(`4${packet}`); // a message of engine.io
  const isLong = payload.length >= THRESHOLD;
  const isPlain = ({ conn }: Page) => !isLong || !canDecompress(conn);
  const plain = pages.filter(isPlain);
  if (plain.length > 0) ready(plain, { packet, bytes: frameOf(TEXT, payload) });
  if (plain.length === pages.length) return;
  const others = pages.filter((page) => !isPlain(page));
  zlib.deflateRaw(payload, DEFLATE, (failure, deflated) => {
    if (failure) ready(others, undefined);
    else ready(others, { packet, bytes: frameOf(COMPRESSED_TEXT, deflated.subarray(0, -FLUSH_END_BYTES)) });
  });
}

/** Writes the bytes of the frame after everything that waits in the queue of the connection. */
export function writeFrame(conn: Connection, { packet, bytes }: Frame): void {
  transportOf(conn).perMessageDeflate = undefined; // otherwise engine.io encodes the packet itself
  const options = { compress: false, wsPreEncodedFrame: [bytes] };
  conn.write(packet, options);
}

/** True if the page has agreed to compression. A page that wants a smaller window than ours gets plain messages. */
function canDecompress(conn: Connection): boolean {
  const isAgreed = transportOf(conn).socket.extensions.includes('permessage-deflate');
  return isAgreed && !conn.request.headers['sec-websocket-extensions']?.includes('server_max_window_bits');
}

function transportOf(conn: Connection): Transport {
  return conn.transport as unknown as Transport;
}

/** Returns a frame: its first byte, its length, and the payload. A frame from a server has no mask. */
export function frameOf(first: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = first;
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}
