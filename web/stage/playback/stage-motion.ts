import type { StagePicture } from './stage-at.ts';

/** Moves the envelope, the fuse and the sweep of the lens every frame, without React. React renders the rest. */
export class StageMotion {
  readonly #root: HTMLElement;
  readonly #calm = window.matchMedia('(prefers-reduced-motion: reduce)');

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  show = (picture: StagePicture): void => {
    this.#moveEnvelope(picture);
    for (const { key, leftMs, leaseMs } of picture.locks) {
      const fuse = this.#root.querySelector<HTMLElement>(`[data-fuse="${CSS.escape(key)}"]`);
      const share = leftMs === null || !leaseMs ? 0 : Math.min(1, leftMs / leaseMs);
      if (fuse) fuse.style.transform = `scaleX(${share})`;
    }
    this.#sweepLens(picture.lensMs);
  };

  #moveEnvelope({ envelope }: StagePicture): void {
    const element = this.#root.querySelector<HTMLElement>('[data-part="envelope"]');
    const card = envelope && this.#root.querySelector(`[data-client="${CSS.escape(envelope.client)}"]`);
    const redis = envelope && this.#root.querySelector(`[data-lock="${CSS.escape(envelope.lock)}"]`);
    if (!element) return;
    element.hidden = !envelope || !card || !redis;
    if (!envelope || !card || !redis) return;
    const floor = element.parentElement?.getBoundingClientRect() ?? new DOMRect();
    const scrolled = element.parentElement?.scrollTop ?? 0;
    const [a, b] = edgesBetween(card.getBoundingClientRect(), redis.getBoundingClientRect());
    const isToRedis = envelope.way === 'to-redis';
    // with reduced motion, the envelope is shown where it arrives
    const way = this.#calm.matches ? 1 : eased(envelope.progress);
    const share = isToRedis ? way : 1 - way;
    const x = a.x + (b.x - a.x) * share - floor.left;
    const y = a.y + (b.y - a.y) * share - floor.top + scrolled;
    element.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
  }

  #sweepLens(lensMs: number | null): void {
    const lens = this.#root.querySelector<HTMLElement>('[data-part="lens"]');
    if (!lens || lensMs === null) return;
    const opened = Number(lens.dataset.openMs ?? 0);
    const playMs = Number(lens.dataset.playMs ?? 1);
    const share = this.#calm.matches ? 1 : Math.min(1, Math.max(0, (lensMs - opened) / playMs));
    lens.style.setProperty('--sweep', String(share));
    for (const mark of lens.querySelectorAll<HTMLElement>('[data-share]')) {
      mark.dataset.isThere = String(Number(mark.dataset.share) <= share + 1e-6);
    }
  }
}

/** The middle of an envelope is this far above the cards, so that it ends above their first line. */
const ABOVE_PX = 5;

type Point = { readonly x: number; readonly y: number };

/**
 * The two ends of an envelope's way. Between cards that are beside each other, it moves along their upper edges:
 * farther down, it would cover the words of these cards, and of a card between them.
 */
function edgesBetween(card: DOMRect, redis: DOMRect): [Point, Point] {
  const middle = (box: DOMRect): Point => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });
  const isBeside = card.right <= redis.left || card.left >= redis.right;
  if (isBeside) {
    const isLeft = card.right <= redis.left;
    const y = Math.min(card.top, redis.top) - ABOVE_PX;
    return [
      { x: isLeft ? card.right : card.left, y },
      { x: isLeft ? redis.left : redis.right, y },
    ];
  }
  const isAbove = card.bottom <= redis.top;
  const x = middle(redis).x;
  return [
    { x, y: isAbove ? card.bottom : card.top },
    { x, y: isAbove ? redis.top : redis.bottom },
  ];
}

function eased(share: number): number {
  return share < 0.5 ? 2 * share * share : 1 - (2 - 2 * share) ** 2 / 2;
}
