import { memo, type ReactElement } from 'react';
import type { GlyphShape } from './event-glyphs.ts';

const path = (className: string, d: string) => <path key={d} className={className} d={d} />;
const circle = (className: string, cx: number, cy: number, r: number) => (
  <circle key="circle" className={className} cx={cx} cy={cy} r={r} />
);

/** Each shape in a box of 16 by 16. Shapes differ without colour. */
const SHAPES: Readonly<Record<GlyphShape, readonly ReactElement[]>> = {
  acquired: [path('g-hold', 'M6 4h9v8H6z'), path('g-ink', 'M3 1h2.5v14H3z')],
  reentered: [path('g-hold', 'M2 4h13v8H2z'), path('g-stripe', 'M5 9h7v1.6H5z')],
  refused: [circle('g-wait-line', 8, 8, 6), path('g-ink-line', 'M5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8')],
  unanswered: [
    path('g-ink-line', 'M8 1.5L13.5 8 8 14.5 2.5 8z'),
    path('g-lost-line', 'M6.3 6.3a1.8 1.8 0 1 1 2.4 1.8L8 9M8 11v.6'),
  ],
  litter: [
    path('g-muted-line', 'M2 11h3v3H2zM7 11h3v3H7zM12 11h2v3h-2zM4.5 6h3v3h-3z'),
    path('g-lost-line', 'M9.5 6.5L14 2'),
  ],
  released: [path('g-ink', 'M8 1.5L13.5 8 8 14.5 2.5 8z')],
  'partly-released': [path('g-ink-line', 'M8 2.5L12.7 8 8 13.5 3.3 8z')],
  'taken-away': [path('g-ink-line', 'M8 2L13.2 8 8 14 2.8 8z'), path('g-lost-line', 'M2.5 14L13.5 2')],
  renewed: [path('g-ink', 'M8 3l5.5 10h-11z')],
  'not-renewed': [path('g-ink-line', 'M8 4l4.6 8.5H3.4z'), path('g-lost-line', 'M3 3l10 10')],
  expired: [path('g-lost-line is-bold', 'M3 3l10 10M13 3L3 13')],
  asleep: [path('g-ink', 'M10.5 2.2A6 6 0 1 0 14 10.9 5 5 0 0 1 10.5 2.2z')],
  awake: [path('g-ink-line', 'M10.5 2.8A5.6 5.6 0 1 0 13.4 10.6 5 5 0 0 1 10.5 2.8z')],
  queued: [path('g-wait-line', 'M1.5 5h13v6h-13z'), path('g-wait-line', 'M4 11l4-6M8 11l4-6')],
  left: [path('g-wait-line', 'M1.5 8h10'), path('g-ink', 'M11.5 3.5h2v9h-2z')],
  message: [path('g-ink-line', 'M1.5 4h13v8.5h-13z'), path('g-ink-line', 'M1.5 4.5L8 9l6.5-4.5')],
  blind: [path('g-muted-line', 'M1 9l8-8M1 15L15 1M7 15l8-8')],
  sighted: [path('g-muted-line', 'M1 15L9 7M10 2v12M13 2v12')],
  found: [path('g-hold-line is-dashed', 'M2 4.5h12v7H2z'), path('g-ink', 'M7 7h2v2H7z')],
  failover: [path('g-ink-line', 'M2 4.5h8M7.5 2L10 4.5 7.5 7'), path('g-ink-line', 'M14 11.5H6M8.5 9L6 11.5 8.5 14')],
  lost: [path('g-lost-line is-dashed', 'M2 4.5h12v7H2z'), path('g-lost-line', 'M5 13.5l6-11')],
  moved: [path('g-hold-line', 'M1.5 5h6v6h-6z'), path('g-ink-line', 'M9 8h5.5M12 5.5L14.5 8 12 10.5')],
  'client-there': [path('g-ink-line', 'M1.5 3h13v8h-13zM5 14h6'), circle('g-ink', 8, 7, 2)],
  'client-idle': [path('g-ink-line', 'M1.5 3h13v8h-13zM5 14h6'), path('g-ink', 'M5.5 5h1.6v4H5.5zM8.9 5h1.6v4H8.9z')],
  'client-gone': [
    path('g-lost-line', 'M1.5 3h13v8h-13zM5 14h6'),
    path('g-lost-line', 'M5.5 4.8l5 4.4M10.5 4.8l-5 4.4'),
  ],
  'client-unknown': [path('g-muted-line is-dashed', 'M1.5 3h13v8h-13zM5 14h6')],
  server: [path('g-ink-line', 'M2.5 2.5h11v4.5h-11zM2.5 9h11v4.5h-11zM5 4.8h2M5 11.2h2')],
  'server-trouble': [
    path('g-lost-line', 'M2.5 2.5h11v4.5h-11zM2.5 9h11v4.5h-11z'),
    path('g-lost-line', 'M5 4.8h2M5 11.2h2'),
  ],
  'problem-began': [path('g-lost-line', 'M8 2l6.2 11.5H1.8z'), path('g-lost-line', 'M8 6v4M8 11.6v.6')],
  'problem-ended': [path('g-muted-line', 'M8 2l6.2 11.5H1.8zM5.8 9.5l1.8 1.8 3-3.4')],
  note: [path('g-ink-line', 'M2.5 2.5h11v8h-6l-3 3v-3h-2zM5 5.2h6M5 7.8h4')],
  drift: [path('g-lost-line', 'M2.5 6h11M2.5 10h11M11 2.5l-6 11')],
};

/** The symbol of an event. Hidden from screen readers, because the words beside the symbol mean the same. */
export function EventGlyph({ shape }: { shape: GlyphShape }) {
  return (
    <svg className="glyph" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      {SHAPES[shape]}
    </svg>
  );
}

/** All symbols, for `GlyphUse`. Not shown themselves. */
export const GlyphSheet = memo(function GlyphSheet() {
  return (
    <svg className="glyph-sheet" width="0" height="0" aria-hidden="true">
      {Object.entries(SHAPES).map(([shape, drawn]) => (
        <symbol key={shape} id={`glyph-${shape}`} viewBox="0 0 16 16" className="glyph">
          {drawn}
        </symbol>
      ))}
    </svg>
  );
});

/** A symbol of the `GlyphSheet`, which can be replaced by another one through its `href`. */
export function GlyphUse({ shape, slot }: { shape: GlyphShape; slot: string }) {
  return (
    <svg className="glyph" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <use href={glyphHref(shape)} data-slot={slot} />
    </svg>
  );
}

export function glyphHref(shape: GlyphShape): string {
  return `#glyph-${shape}`;
}
