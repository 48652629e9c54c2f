import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Call, Counts } from './viewers.ts';

/** Opens pages in a few processes, so that no single process limits how many pages can be measured. */
export class ViewerProcesses {
  readonly #url: string;
  readonly #children: ChildProcess[];

  constructor(url: string, processes: number) {
    this.#url = url;
    const file = fileURLToPath(new URL('./viewers.js', import.meta.url));
    this.#children = Array.from({ length: processes }, () => fork(file));
  }

  /** Opens pages until there are this many, evenly. Returns what all pages have received so far. */
  async counts(pages: number): Promise<Counts> {
    const each = this.#children.map((child, index) =>
      ask(child, { url: this.#url, pages: shareOf(pages, index, this.#children.length) }),
    );
    const counts = await Promise.all(each);
    const sum = (value: (counts: Counts) => number) => counts.reduce((total, next) => total + value(next), 0);
    return {
      messages: sum(({ messages }) => messages),
      events: sum(({ events }) => events),
      missed: sum(({ missed }) => missed),
    };
  }

  close(): void {
    for (const child of this.#children) child.disconnect();
  }
}

function shareOf(all: number, index: number, parts: number): number {
  return Math.floor((all + index) / parts);
}

function ask(child: ChildProcess, call: Call): Promise<Counts> {
  return new Promise((resolve, reject) => {
    child.once('message', (counts: Counts) => resolve(counts));
    child.once('exit', (code) => reject(new Error(`the process of the pages ended with ${code}`)));
    child.send(call);
  });
}
