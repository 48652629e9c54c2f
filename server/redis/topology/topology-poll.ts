import { problemFromError } from '../connection/problem.ts';
import { RedisError } from '../connection/resp-scanner.ts';
import { startTimer, stopTimer, type Timer } from '../connection/surroundings.ts';
import type { NodeRing } from './node-ring.ts';
import type { Group, Topology, TopologyView } from './replication-group.ts';

const CALM_MS = 1000;
const URGENT_MS = 200;

/** Asks for the groups. `ring`: the servers that it asks in turn. */
export type GroupsSource = {
  readonly ring: NodeRing;
  /** The Redis user of the URL. */
  readonly user: string;
  ask(): Promise<readonly Group[]>;
};

/**
 * Asks again 1 s after each answer, or 200 ms while a master does not answer. Reports each view that differs from the
 * one before.
 */
export class TopologyPoll implements Topology {
  readonly #source: GroupsSource;
  readonly #shown: string;
  #groups: readonly Group[] = [];
  #reported = '';
  #isUrgent = false;
  #isStopped = false;
  #timer: Timer | undefined;
  #onView: (view: TopologyView) => void = () => {};

  /** `shown` is the URL without credentials. */
  constructor(shown: string, source: GroupsSource) {
    this.#shown = shown;
    this.#source = source;
  }

  start(onView: (view: TopologyView) => void): void {
    this.#onView = onView;
    void this.#round();
  }

  hurry(isUrgent: boolean): void {
    if (isUrgent === this.#isUrgent) return;
    this.#isUrgent = isUrgent;
    if (!isUrgent || this.#timer === undefined) return;
    stopTimer(this.#timer);
    this.#timer = undefined;
    void this.#round();
  }

  stop(): void {
    this.#isStopped = true;
    stopTimer(this.#timer);
    this.#source.ring.close();
  }

  async #round(): Promise<void> {
    const view = await this.#view();
    if (this.#isStopped) return;
    const reported = JSON.stringify(view);
    if (reported !== this.#reported) {
      this.#reported = reported;
      this.#onView(view);
    }
    this.#timer = startTimer(
      () => {
        this.#timer = undefined;
        void this.#round();
      },
      this.#isUrgent ? URGENT_MS : CALM_MS,
    );
  }

  async #view(): Promise<TopologyView> {
    try {
      this.#groups = await this.#source.ask();
      return { groups: this.#groups, problem: null };
    } catch (error) {
      return { groups: this.#groups, problem: problemFromError(asReply(error), this.#shown, this.#source.user) };
    }
  }
}

/** An error reply, converted from the class of ioredis to ours. */
function asReply(error: unknown): unknown {
  return error instanceof Error && error.name === 'ReplyError' ? new RedisError(error.message) : error;
}
