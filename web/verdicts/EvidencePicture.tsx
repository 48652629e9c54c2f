import { useId } from 'react';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import { useFromShownNow } from '../cursor/shown-instant.ts';
import { useEvidenceSpans } from '../data/queries/evidence-spans.ts';
import { useWords } from '../words/language.ts';
import { evidenceLanes, type Lane } from './evidence-lanes.ts';

const WIDTH = 320;
const HEIGHT = 40;
/** The picture begins before the problem: by this share of the problem's length, or by 5 s if that is more. */
const BEFORE_SHARE = 0.25;
const BEFORE_MICROS = 5_000_000;
const MARGIN_SHARE = 0.03;
/** The picture moves on in steps: it is a summary, not a clock. */
const STEP_MICROS = 1_000_000;

/**
 * Holds and waits of a problem in a picture that is 40 pixels high, with the shapes of the timeline. Renders nothing if
 * there are none.
 */
export default function EvidencePicture({ insight }: { insight: WireInsight }) {
  const { verdicts: texts } = useWords();
  const now = useFromShownNow(insight.source, (at) => (at === null ? null : Math.ceil(at / STEP_MICROS) * STEP_MICROS));
  const end = Math.max(insight.to ?? now ?? insight.from, insight.from + STEP_MICROS);
  const length = end - insight.from;
  // the request stays the same while the picture grows
  const { data } = useEvidenceSpans(insight, insight.from - BEFORE_MICROS);
  // if the first span began later, the picture begins a small margin before that span
  const first = Math.min(...(data ?? []).map((span) => span.from));
  const from = Math.max(insight.from - Math.max(BEFORE_MICROS, length * BEFORE_SHARE), first - length * MARGIN_SHARE);
  const lanes = evidenceLanes(data ?? [], insight.holders, { from, to: end });
  const hatch = useId();
  if (lanes.length === 0) return null;
  const began = ((insight.from - from) / (end - from)) * WIDTH;
  const lane = HEIGHT / lanes.length;
  return (
    <svg
      className="evidence-picture"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={texts.picture(lanes.length)}
    >
      <defs>
        <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="5" height="5" className="evidence-wait-ground" />
          <rect width="2" height="5" className="evidence-wait-line" />
        </pattern>
      </defs>
      {lanes.map(({ key, bars, isNamed }, n) => (
        <Bars
          key={key}
          bars={bars}
          top={n * lane}
          height={lane}
          hatch={hatch}
          lostFrom={isNamed && insight.effect === 'orphaned' ? began : null}
        />
      ))}
      <line x1={began} x2={began} y1={0} y2={HEIGHT} className="evidence-began" />
    </svg>
  );
}

type BarsProps = {
  bars: Lane['bars'];
  top: number;
  height: number;
  hatch: string;
  /** From here on, a hold is orphaned. */
  lostFrom: number | null;
};

/** A hold is a full bar, a wait a hatched one of half its height; a lease that ran out ends in a red stroke. */
function Bars({ bars, top, height, hatch, lostFrom }: BarsProps) {
  const pad = Math.min(2, height / 6);
  return bars.map(({ kind, from, to, isExpired }) => {
    const [x, width] = [from * WIDTH, Math.max(1, (to - from) * WIDTH)];
    const full = height - 2 * pad;
    return (
      <g key={`${kind} ${from}`}>
        {kind === 'hold' ? (
          <rect x={x} y={top + pad} width={width} height={full} className="evidence-hold" />
        ) : (
          <rect x={x} y={top + pad + full / 4} width={width} height={full / 2} fill={`url(#${hatch})`} />
        )}
        {kind === 'hold' && lostFrom !== null && x + width > lostFrom && (
          <rect
            x={Math.max(x, lostFrom)}
            y={top + pad}
            width={x + width - Math.max(x, lostFrom)}
            height={full}
            className="evidence-orphaned"
          />
        )}
        {isExpired && <rect x={x + width - 1.5} y={top} width={3} height={height} className="evidence-lost" />}
      </g>
    );
  });
}
