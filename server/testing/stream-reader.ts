import { get, type IncomingMessage } from 'node:http';
import type { LockEvent } from '../../shared/events/event.ts';

/** The fields of one server-sent event. */
type Sent = { readonly id?: string; readonly event?: string; readonly data?: string };

/** Reads server-sent events. A test can pause and resume its `response`. */
export class StreamReader {
  readonly sent: Sent[] = [];
  comments = 0;
  isEnded = false;
  isClosed = false;
  #text = '';

  private constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.#take(text));
    response.on('end', () => (this.isEnded = true));
    response.on('error', () => undefined);
    response.on('close', () => (this.isClosed = true));
  }

  static open(url: string, headers: Record<string, string> = {}): Promise<StreamReader> {
    return new Promise((resolve, reject) => {
      get(url, { headers, agent: false }, (response) => resolve(new StreamReader(response))).on('error', reject);
    });
  }

  /** The events with a `seq`, without those about the stream itself. */
  get events(): LockEvent[] {
    return this.sent.flatMap(({ event, data }) => (data === undefined || event === 'resync' ? [] : [JSON.parse(data)]));
  }

  get seqs(): number[] {
    return this.events.map(({ seq }) => seq);
  }

  close(): void {
    this.response.destroy();
  }

  #take(text: string): void {
    this.#text += text;
    const blocks = this.#text.split('\n\n');
    this.#text = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n');
      if (lines.includes(':')) this.comments += 1;
      const fields = lines.flatMap((line) => {
        const [, name, value] = /^(id|event|data): (.*)$/.exec(line) ?? [];
        return name === undefined ? [] : [[name, value]];
      });
      if (fields.length > 0) this.sent.push(Object.fromEntries(fields));
    }
  }
}
