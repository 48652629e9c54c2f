import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { createGuard } from '../http/guard/guard.ts';
import { type Hub, openHub } from '../socket/hub.ts';
import { type MemoryObservatory, makeMemoryObservatory } from './memory-observatory.ts';
import { TestPage } from './open-page.ts';
import { soon } from './soon.ts';

/** A hub on a server of its own, over an observatory in memory, and the pages that a test opens. */
export type HubBed = {
  readonly observatory: MemoryObservatory;
  readonly server: Server;
  readonly hub: Hub;
  readonly url: string;
  readonly pages: TestPage[];
  /** Opens a page, which has sent nothing yet. Rejects if it is refused. */
  openPage(options?: Record<string, unknown>): Promise<TestPage>;
  /** Opens a page, and waits for its snapshot. */
  livePage(options?: Record<string, unknown>): Promise<TestPage>;
  end(): Promise<void>;
};

export async function startHub(options: { historyBytes?: number; token?: string } = {}): Promise<HubBed> {
  const observatory = makeMemoryObservatory(options);
  const server = createServer();
  const hub = openHub({ server, observatory, guard: createGuard({ host: '127.0.0.1', token: options.token }) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a server that listens on TCP has an AddressInfo
  const pages: TestPage[] = [];
  const openPage = async (of: Record<string, unknown> = {}) => {
    const page = new TestPage(url, of);
    pages.push(page);
    await page.connected();
    return page;
  };
  return {
    ...{ observatory, server, hub, url, pages, openPage },
    async livePage(of) {
      const page = await openPage(of);
      page.socket.emit('hello', { v: 1 });
      await soon(() => expect(page.snapshot).toBeDefined());
      return page;
    },
    async end() {
      for (const page of pages) page.socket.disconnect();
      await hub.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

export const namesOn = (page: TestPage) => [...page.locks.values()].map((lock) => lock.name).sort();
