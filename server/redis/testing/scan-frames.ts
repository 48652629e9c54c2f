import { type Fault, type Reply, RespScanner } from '../connection/resp-scanner.ts';

/** What a scanner passed on. */
export type Frame = { line: string } | { push: Reply[] } | { reply: Reply } | { fault: Fault } | { dropped: string };

/** The frames of these reads. */
export function scan(...chunks: Buffer[]): Frame[] {
  const frames: Frame[] = [];
  const scanner = scannerInto(frames);
  for (const chunk of chunks) scanner.feed(chunk);
  return frames;
}

/** A scanner that adds each frame to `frames`. */
export function scannerInto(frames: Frame[]): RespScanner {
  return new RespScanner({
    onLine: (buffer, start, end) => frames.push({ line: buffer.toString('latin1', start, end) }),
    onPush: (push) => frames.push({ push }),
    onReply: (reply) => frames.push({ reply }),
    onFault: (fault) => frames.push({ fault }),
    onDropped: (dropped) => frames.push({ dropped }),
  });
}

/** The frames of a text that arrives in one read. */
export function scanText(text: string): Frame[] {
  return scan(Buffer.from(text, 'latin1'));
}
