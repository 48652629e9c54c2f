import { firstFrom } from '../../../../shared/base/search.ts';
import type { RedisTime } from '../../../../shared/base/time.ts';
import { LEASE_BOTTOM_PX, LEASE_TOP_PX, labelWidth } from '../../layout/metrics.ts';
import type { Scale } from '../../layout/scale.ts';
import { shareLeft } from '../../model/lease-pieces.ts';
import type { LeasePiece, Track } from '../../model/marks.ts';
import { labelFont, type Palette, type Pen } from '../pen/pen.ts';

type LeaseView = {
  readonly scale: Scale;
  readonly now: RedisTime;
  /** From when on no client renews this piece. Null: a client does, or nothing shows that no client does. */
  readonly lostFrom: (piece: LeasePiece) => RedisTime | null;
};

/**
 * Draws the TTL of the key: a line that falls with the lease and jumps at each renewal, over a soft area. A piece has
 * the colour for lost from when no client renews it: a renewal was due, or the client was gone. A piece whose end is
 * not known has no height: it is a dotted line at the bottom, with words if there is room.
 */
export function drawLease(pen: Pen, palette: Palette, track: Track, top: number, view: LeaseView): void {
  const kept: DrawnPiece[] = [];
  const lost: DrawnPiece[] = [];
  const unknown: DrawnPiece[] = [];
  for (const drawn of piecesInSight(track, top, view)) {
    if (!drawn.piece.isEndKnown) {
      unknown.push(drawn);
      continue;
    }
    const from = view.lostFrom(drawn.piece);
    if (from === null) kept.push(drawn);
    else if (from <= drawn.piece.from) lost.push(drawn);
    else {
      const x = Math.min(drawn.x1, view.scale.x(from));
      const y = heightAt(drawn.piece, from, track, top);
      // from here on, the line has the colour for lost
      kept.push({ ...drawn, piece: { ...drawn.piece, endedBy: 'renewed' }, x1: x, y1: y });
      if (x < drawn.x1) lost.push({ ...drawn, before: undefined, x0: x, y0: y });
    }
  }
  for (const drawn of unknown) drawNotKnown(pen, palette, drawn, view.scale);
  drawPieces(pen, kept, palette.holdSoft, palette.hold);
  drawPieces(pen, lost, palette.lostSoft, palette.lost);
  for (const drawn of lost) drawLostWords(pen, palette, drawn, view.scale.width);
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

/** A piece narrower than this is left out if it ends this close to the previous piece. */
const NARROW_PIECE_PX = 3;

function piecesInSight(track: Track, top: number, { scale, now }: LeaseView): DrawnPiece[] {
  const pieces: DrawnPiece[] = [];
  let lastX = Number.NEGATIVE_INFINITY;
  const start = Math.max(0, firstFrom(track.lease, scale.span.from, (piece) => piece.from) - 1);
  for (let i = start; i < track.lease.length; i++) {
    const piece = track.lease[i] as LeasePiece; // i is below the length
    if (piece.from > scale.span.to) break;
    const x0 = scale.x(piece.from);
    const x1 = scale.x(piece.to ?? now);
    if (x1 < 0 || (x1 - lastX < NARROW_PIECE_PX && x1 - x0 < NARROW_PIECE_PX)) continue;
    lastX = x1;
    const [y0, y1] = [heightAt(piece, piece.from, track, top), heightAt(piece, piece.to ?? now, track, top)];
    pieces.push({ piece, x0, x1, y0, y1, top, before: track.lease[i - 1] });
  }
  return pieces;
}

function heightAt(piece: LeasePiece, at: RedisTime, { leaseMs }: Track, top: number): number {
  return top + LEASE_BOTTOM_PX - shareLeft(piece, at, leaseMs) * (LEASE_BOTTOM_PX - LEASE_TOP_PX);
}

/** Narrower pieces have no visible slope. They are drawn as rectangles, which are much cheaper. */
const SLOPE_FROM_PX = 4;
const LINE_PX = 2;

/** Draws all areas, then all lines above them. */
function drawPieces(pen: Pen, pieces: readonly DrawnPiece[], area: string, line: string): void {
  pen.fillStyle = area;
  for (const drawn of pieces) {
    const { x0, x1, y0, top } = drawn;
    if (isSloped(drawn)) drawArea(pen, drawn);
    else pen.fillRect(x0, y0, x1 - x0, top + LEASE_BOTTOM_PX - y0);
  }
  pen.fillStyle = line;
  pen.strokeStyle = line;
  pen.lineWidth = LINE_PX;
  pen.lineJoin = 'round';
  for (const drawn of pieces) {
    const { piece, x0, x1, y0, top } = drawn;
    if (isSloped(drawn)) {
      drawLine(pen, drawn);
      continue;
    }
    pen.fillRect(x0, y0 - LINE_PX / 2, x1 - x0, LINE_PX);
    const from = isRenewal(drawn) ? renewalFoot(drawn) : y0;
    if (from > y0) pen.fillRect(x0 - LINE_PX / 2, y0, LINE_PX, from - y0);
    if (piece.endedBy === 'freed') pen.fillRect(x1 - LINE_PX / 2, y0, LINE_PX, top + LEASE_BOTTOM_PX - y0);
  }
}

function isSloped({ x0, x1 }: DrawnPiece): boolean {
  return x1 - x0 >= SLOPE_FROM_PX;
}

function drawArea(pen: Pen, { piece, x0, x1, y0, y1, top }: DrawnPiece): void {
  const bottom = top + LEASE_BOTTOM_PX;
  // a little into the next piece, so that no seam is visible
  const over = piece.endedBy === 'renewed' ? 0.75 : 0;
  pen.beginPath();
  pen.moveTo(x0, bottom);
  pen.lineTo(x0, y0);
  pen.lineTo(x1 + over, y1);
  pen.lineTo(x1 + over, bottom);
  pen.closePath();
  pen.fill();
}

function drawLine(pen: Pen, drawn: DrawnPiece): void {
  const { piece, x0, x1, y0, y1, top } = drawn;
  pen.beginPath();
  pen.moveTo(x0, isRenewal(drawn) ? renewalFoot(drawn) : y0);
  pen.lineTo(x0, y0);
  pen.lineTo(x1, y1);
  if (piece.endedBy === 'freed') pen.lineTo(x1, top + LEASE_BOTTOM_PX);
  pen.stroke();
}

function isRenewal({ before, piece }: DrawnPiece): boolean {
  return before?.to === piece.from && before.endedBy === 'renewed';
}

/** The height to which the previous piece had fallen: the line jumps up from there. */
function renewalFoot({ before, piece, y0, top }: DrawnPiece): number {
  if (!before || before.expiresAt === null || piece.expiresAt === null) return y0;
  const whole = piece.expiresAt - piece.from;
  if (whole <= 0) return y0;
  const left = (before.expiresAt - piece.from) / whole;
  const bottom = top + LEASE_BOTTOM_PX;
  return Math.min(bottom, bottom - Math.max(0, left) * (bottom - y0));
}

/** The distance between the dots of a lease whose end is not known. */
const DOTS_APART_PX = 6;

function drawNotKnown(pen: Pen, palette: Palette, { x0, x1, top }: DrawnPiece, scale: Scale): void {
  const [left, right] = [Math.max(0, x0), Math.min(scale.width, x1)];
  pen.fillStyle = palette.muted;
  for (let x = left; x < right; x += DOTS_APART_PX) pen.fillRect(x, top + LEASE_BOTTOM_PX - LINE_PX, LINE_PX, LINE_PX);
  const text = palette.words.marks.label.leaseNotKnown;
  if (right - left < labelWidth(text, palette.labelPx) + 12) return;
  pen.font = labelFont(palette);
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  pen.fillText(text, left + 6, top + LEASE_BOTTOM_PX - 12);
}

/** Draws a label below the falling line, at its left end. If there is too little room, above its right end. */
function drawLostWords(pen: Pen, palette: Palette, { x0, x1, y0, y1, top }: DrawnPiece, width: number): void {
  const text = palette.words.marks.label.noRenewal;
  const room = labelWidth(text, palette.labelPx);
  const [left, right] = [Math.max(0, x0) + 8, Math.min(width, x1) - 8];
  if (right - left < room) return;
  const half = palette.labelPx / 2 + 2;
  const lineAt = (x: number) => y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
  const below = lineAt(left + room) + half + LINE_PX;
  const isBelow = below + half <= top + LEASE_BOTTOM_PX;
  if (!isBelow && lineAt(right - room) < y0 + 5 + half) return;
  pen.font = labelFont(palette);
  pen.textAlign = isBelow ? 'left' : 'right';
  pen.textBaseline = 'middle';
  pen.fillStyle = palette.ink;
  pen.fillText(text, isBelow ? left : right, isBelow ? below : y0 + 5);
}
