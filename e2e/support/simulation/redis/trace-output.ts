import type { Reply } from './reply.ts';
import type { Output } from './session.ts';

/** Keeps the lines of MONITOR and the pushes that a connection receives, in the format of the recorded traces. */
export class TraceOutput implements Output {
  readonly lines: string[] = [];

  get text(): string {
    return this.lines.join('\n');
  }

  reply(): void {}

  push(words: readonly Reply[]): void {
    if (words[0] !== 'psubscribe') this.lines.push(`> ${JSON.stringify(words)}`);
  }

  line(text: string): void {
    this.lines.push(text);
  }

  close(): void {}
}
