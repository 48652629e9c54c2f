import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { TimeSpan } from '../../data/window/time-span.ts';

/** A range without marks, shrunk to a fixed width. */
export type IdlePiece = TimeSpan & { readonly x0: number; readonly x1: number };

/** Redis time ⇄ CSS pixels of the plot. */
export type Scale = {
  readonly span: TimeSpan;
  readonly width: number;
  readonly idle: readonly IdlePiece[];
  /** Pixels per microsecond outside idle pieces. */
  readonly pxPerMicro: number;
  readonly x: (at: number) => number;
  readonly at: (x: number) => RedisTime;
};

/** Width of a collapsed range. */
export const IDLE_PX = 48;

/**
 * The scale of a span over a width. Idle ranges inside the span take `IDLE_PX` each; the rest shares the remaining
 * width. If less than 20 % of the width would remain, nothing is collapsed.
 *
 *   time  |====work====|·········idle·········|==work==|
 *   px    |=========work=========|~48~|======work======|
 */
export function makeScale(span: TimeSpan, width: number, idle: readonly TimeSpan[] = []): Scale {
  const inside = idle.filter((piece) => piece.from >= span.from && piece.to <= span.to);
  const busyMicros = inside.reduce((rest, piece) => rest - (piece.to - piece.from), span.to - span.from);
  const busyPx = width - inside.length * IDLE_PX;
  if (inside.length === 0 || busyPx < width * 0.2 || busyMicros <= 0) return straightScale(span, width);

  const pxPerMicro = busyPx / busyMicros;
  const pieces: IdlePiece[] = [];
  let x = 0;
  let at: number = span.from;
  for (const piece of inside) {
    const x0 = x + (piece.from - at) * pxPerMicro;
    pieces.push({ ...piece, x0, x1: x0 + IDLE_PX });
    x = x0 + IDLE_PX;
    at = piece.to;
  }
  return {
    span,
    width,
    idle: pieces,
    pxPerMicro,
    x: (wanted) => xAmong(pieces, span.from, pxPerMicro, wanted),
    at: (wanted) => instantAt(pieces, span.from, pxPerMicro, wanted),
  };
}

function straightScale(span: TimeSpan, width: number): Scale {
  const pxPerMicro = width / Math.max(1, span.to - span.from);
  return {
    span,
    width,
    idle: [],
    pxPerMicro,
    x: (at) => (at - span.from) * pxPerMicro,
    at: (x) => redisTime(span.from + x / pxPerMicro),
  };
}

function xAmong(pieces: readonly IdlePiece[], start: number, pxPerMicro: number, wanted: number): number {
  let at = start;
  let x = 0;
  for (const piece of pieces) {
    if (wanted < piece.from) break;
    if (wanted <= piece.to) return piece.x0 + ((wanted - piece.from) / (piece.to - piece.from)) * IDLE_PX;
    at = piece.to;
    x = piece.x1;
  }
  return x + (wanted - at) * pxPerMicro;
}

function instantAt(pieces: readonly IdlePiece[], start: number, pxPerMicro: number, wanted: number): RedisTime {
  let at = start;
  let x = 0;
  for (const piece of pieces) {
    if (wanted < piece.x0) break;
    if (wanted <= piece.x1) {
      return redisTime(piece.from + ((wanted - piece.x0) / IDLE_PX) * (piece.to - piece.from));
    }
    at = piece.to;
    x = piece.x1;
  }
  return redisTime(at + (wanted - x) / pxPerMicro);
}
