import type { IncomingMessage } from 'node:http';
import { printable } from '../server/cli/printable.ts';
import { createAppGuard } from '../server/http/guard/app-guard.ts';
import type { Guard } from '../server/http/guard/guard.ts';
import { Tickets } from '../server/http/guard/tickets.ts';
import { type Authorize, OpenChannels } from '../server/http/limits/open-channels.ts';

/** At most this many unknown host names are reported, because more may be noise. */
const MOST_REPORTED = 5;

/** The options of `createLockscope` that decide who may see locks. */
export type AccessOptions = {
  readonly basePath?: string | undefined;
  readonly token?: string | undefined;
  readonly hosts: readonly string[];
  readonly authorize?: Authorize | undefined;
  readonly secret?: string | undefined;
};

/** Checks each request to one Lockscope, and goes on checking the streams and sockets that stay open. */
export type Access = {
  readonly guard: Guard;
  readonly channels: OpenChannels;
  /** Remembers the URL that a request has in the application, for `authorize`. */
  noteUrl(req: IncomingMessage): void;
};

export function openAccess(options: AccessOptions, warn: (line: string) => void): Access {
  const { basePath, token, hosts, authorize, secret } = options;
  const urls = new WeakMap<object, string>();
  const reported = new Set<string>();
  const tickets = new Tickets({ secret, place: basePath });
  const channels = new OpenChannels({
    tickets,
    // The URL of a request is shortened to what is below the base path.
    authorize: authorize && ((req) => authorize(Object.create(req, { url: { value: urls.get(req) ?? req.url } }))),
    report: (error) => warn(`authorize failed, so a live channel was refused: ${printable(String(error))}`),
  });
  const guard = createAppGuard({
    ...{ token, hosts, secret, tickets, hasLogin: authorize !== undefined },
    onRenewed: (ticket) => channels.renew(ticket),
    onUnknownHost(name) {
      if (reported.has(name) || reported.size >= MOST_REPORTED) return;
      reported.add(name);
      warn(
        `A request for the host ${printable(name)} was refused. If your application has that name, add it to "hosts".`,
      );
    },
  });
  return { guard, channels, noteUrl: (req) => void urls.set(req, req.url ?? '/') };
}
