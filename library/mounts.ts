import type { IncomingMessage } from 'node:http';
import { below, mountOf, removedPrefix } from '../server/http/answer/base-path.ts';
import { forgetOldest } from '../shared/base/forget-oldest.ts';

/** A router below a parameter, such as `/:tenant/locks`, has any number of paths. Only the ones used last are kept. */
const MOST_MOUNTS = 1000;
const LONGEST_MOUNT = 500;
const CHANNEL = /^\/(?:recordings\/[0-9a-f]+\/)?socket\.io\//;

/** The paths of one Lockscope inside an application: the base path that it was given, or those under which it was mounted. */
export class Mounts {
  readonly #basePath: string | undefined;
  /** Paths of requests so far. With a base path: the part of it that a proxy passes on. */
  readonly #met = new Set<string>();

  constructor(basePath: string | undefined) {
    this.#basePath = basePath;
  }

  /**
   * The URL of a request within Lockscope, and the path by which browsers reach it; undefined: the request is for another
   * path, so it belongs to the application.
   */
  enter(req: IncomingMessage): { url: string; base: string } | undefined {
    const mount = mountOf(req);
    const url = req.url ?? '/';
    const inside = this.#inside(mount, url);
    return inside === undefined ? undefined : { url: inside, base: removedPrefix(req) + (this.#basePath ?? mount) };
  }

  /** The URL of a live channel within Lockscope; undefined: the upgrade is for another path. */
  channelOf(url: string): string | undefined {
    const bases = this.#basePath === undefined ? this.#met : [this.#basePath, ...this.#met];
    for (const base of bases) {
      const inside = below(base, url);
      if (inside !== undefined && CHANNEL.test(inside)) return inside;
    }
    return undefined;
  }

  #inside(mount: string, url: string): string | undefined {
    if (this.#basePath === undefined) {
      this.#note(mount);
      return url;
    }
    const whole = below(this.#basePath, mount + url);
    if (whole !== undefined) return whole;
    // Express compares without regard to case, and a proxy may have removed the beginning of the path.
    const isRest = mount !== '' && this.#basePath.toLowerCase().endsWith(mount.toLowerCase());
    if (!isRest) return undefined;
    this.#note(mount);
    return url;
  }

  #note(mount: string): void {
    if (mount.length > LONGEST_MOUNT) return;
    this.#met.delete(mount);
    this.#met.add(mount);
    forgetOldest(this.#met, MOST_MOUNTS);
  }
}
