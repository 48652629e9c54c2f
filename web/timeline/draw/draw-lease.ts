import type { RedisTime } from '../../../shared/base/time.ts';
import { shareLeft } from '../lease-pieces.ts';
import type { LeasePiece, Track } from '../marks.ts';
import { LEASE_BOTTOM_PX, LEASE_TOP_PX, labelWidth } from '../metrics.ts';
import type { Scale } from '../scale.ts';
import { firstFrom } from '../search.ts';
import { type Inks, labelFont, type Pen } from './pen.ts';

export type LeaseView = {
  readonly scale: Scale;
  readonly now: RedisTime;
  /** From when on nobody refills this piece; null while somebody does. */
  readonly lostFrom: (piece: LeasePiece) => RedisTime | null;
};

/**
 * The fuse of the key: a line that falls with the lease and jumps at each refill, over a soft area. In the colour of
 * what is lost once nobody is there to refill it.
 */
export function drawLease(pen: Pen, inks: Inks, track: Track, top: number, view: LeaseView): void {
  const { scale, now } = view;
  let lastX = Number.NEGATIVE_INFINITY;
  const start = Math.max(0, firstFrom(track.lease, scale.span.from, (piece) => piece.from) - 1);
  for (let i = start; i < track.lease.length; i++) {
    const piece = track.lease[i] as LeasePiece; // i is below the length
    if (piece.from > scale.span.to) break;
    const x0 = scale.x(piece.from);
    const x1 = scale.x(piece.to ?? now);
    if (x1 < 0 || (x1 - lastX < 1 && x1 - x0 < 1)) continue;
    lastX = x1;
    const y = (at: number) =>
      top + LEASE_BOTTOM_PX - shareLeft(piece, at as RedisTime, track.leaseMs) * (LEASE_BOTTOM_PX - LEASE_TOP_PX);
    drawPiece(
      pen,
      inks,
      { piece, x0, x1, y0: y(piece.from), y1: y(piece.to ?? now), top, before: track.lease[i - 1] },
      view,
    );
  }
}

type DrawnPiece = {
  piece: LeasePiece;
  before: LeasePiece | undefined;
  x0: number;
  x1: number;
  y0: number;
  y1: number;
  top: number;
};

function drawPiece(pen: Pen, inks: Inks, drawn: DrawnPiece, view: LeaseView): void {
  const { piece, x0, x1, y0, y1, top } = drawn;
  const bottom = top + LEASE_BOTTOM_PX;
  const lostFrom = view.lostFrom(piece);
  pen.fillStyle = lostFrom === null ? inks.holdSoft : inks.lostSoft;
  pen.beginPath();
  pen.moveTo(x0, bottom);
  pen.lineTo(x0, y0);
  // a little into the next piece, so that no seam shows
  const over = piece.endedBy === 'refilled' ? 0.75 : 0;
  pen.lineTo(x1 + over, y1);
  pen.lineTo(x1 + over, bottom);
  pen.closePath();
  pen.fill();

  pen.strokeStyle = lostFrom === null ? inks.hold : inks.lost;
  pen.lineWidth = 2;
  pen.lineJoin = 'round';
  pen.beginPath();
  const isRefill = drawn.before?.to === piece.from && drawn.before.endedBy === 'refilled';
  if (!isRefill) pen.moveTo(x0, y0);
  else pen.moveTo(x0, refillFoot(drawn));
  pen.lineTo(x0, y0);
  pen.lineTo(x1, y1);
  if (piece.endedBy === 'freed') pen.lineTo(x1, bottom);
  pen.stroke();

  if (lostFrom === null) return;
  drawLostWords(pen, inks, Math.max(0, x0), Math.min(view.scale.width, x1), y0);
}

/** Where the piece before had fallen to: the refill jumps up from there. */
function refillFoot({ before, piece, y0, top }: DrawnPiece): number {
  if (!before || before.expiresAt === null || piece.expiresAt === null) return y0;
  const whole = piece.expiresAt - piece.from;
  if (whole <= 0) return y0;
  const left = (before.expiresAt - piece.from) / whole;
  const bottom = top + LEASE_BOTTOM_PX;
  return Math.min(bottom, bottom - Math.max(0, left) * (bottom - y0));
}

function drawLostWords(pen: Pen, inks: Inks, x0: number, x1: number, y0: number): void {
  const text = inks.words.marks.label.nobodyRefills;
  const width = labelWidth(text);
  if (x1 - x0 < width * 1.6) return;
  pen.font = labelFont(inks);
  pen.textAlign = 'right';
  pen.textBaseline = 'middle';
  pen.fillStyle = inks.ink;
  pen.fillText(text, x1 - 8, y0 + 5);
}
