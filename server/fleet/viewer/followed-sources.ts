import type { Bus } from '../../bus/bus.ts';
import type { Observatory } from '../../watch/observatory.ts';
import { sharesOf } from '../../watch/terms/memory-shares.ts';
import { FollowedSource } from './followed-source.ts';
import type { Pulses } from './pulses.ts';
import { type ViewerStore, withPast } from './with-past.ts';

/** The pages of a followed source, as they are mounted. */
export type SourceMount = { close(): Promise<void> };

type Options<M extends SourceMount> = {
  readonly bus: Bus;
  readonly pulses: Pulses;
  /**
   * How many sources are followed at once, and the memory limit of each, which is divided like that of a whole process.
   */
  readonly most: number;
  readonly memoryEach: number;
  /** The store that the viewer reads; absent: it has none. */
  readonly store?: ViewerStore | undefined;
  mount(name: string, observatory: Observatory): M;
};

type Followed<M> = { readonly observatory: Observatory; readonly mount: M };

/** The sources that pages look at. If they are too many, the one that was not looked at for longest is dropped. */
export class FollowedSources<M extends SourceMount> {
  readonly #options: Options<M>;
  /** In the order of their last use, the most recent one last. */
  readonly #followed = new Map<string, Followed<M>>();
  readonly #opening = new Map<string, Promise<M>>();

  constructor(options: Options<M>) {
    this.#options = options;
  }

  get most(): number {
    return this.#options.most;
  }

  get names(): string[] {
    return [...this.#followed.keys()];
  }

  /** The pages of a source that is followed. */
  use(name: string): M | undefined {
    const found = this.#followed.get(name);
    if (!found) return undefined;
    this.#followed.delete(name);
    this.#followed.set(name, found);
    return found.mount;
  }

  /** Follows a source. Settles once everything that the bus has of it is read. */
  open(name: string): Promise<M> {
    const mount = this.use(name);
    if (mount) return Promise.resolve(mount);
    const opening = this.#opening.get(name) ?? this.#open(name);
    this.#opening.set(name, opening);
    return opening.finally(() => this.#opening.delete(name));
  }

  async end(): Promise<void> {
    for (const name of this.names) await this.#drop(name);
  }

  async #open(name: string): Promise<M> {
    const { bus, pulses, most, memoryEach, store } = this.#options;
    const source = new FollowedSource(name, bus, pulses, sharesOf(memoryEach));
    await source.start();
    const began = () => source.beganAt;
    const { observatory: live } = source;
    const observatory = store ? await withPast(live, store, { name, memory: memoryEach, began }) : live;
    const mount = this.#options.mount(name, observatory);
    this.#followed.set(name, { observatory, mount });
    for (const oldest of this.names.slice(0, Math.max(0, this.#followed.size - most))) await this.#drop(oldest);
    return mount;
  }

  async #drop(name: string): Promise<void> {
    const found = this.#followed.get(name);
    this.#followed.delete(name);
    await found?.observatory.stop();
    await found?.mount.close();
  }
}
