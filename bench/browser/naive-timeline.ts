/** A span as the naive timeline draws it. */
export type PlainSpan = { readonly lane: number; readonly from: number; readonly to: number; readonly isWait: boolean };

/**
 * Runs in an empty page: a canvas that pans and draws every span in each frame, with outline and hatching. It neither
 * merges spans on the same pixel nor skips spans outside the view.
 */
export async function drawNaively({ spans, seconds }: { spans: readonly PlainSpan[]; seconds: number }): Promise<void> {
  const canvas = document.createElement('canvas');
  canvas.width = 1200;
  canvas.height = 800;
  document.body.append(canvas);
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('no canvas');
  const from = Math.min(...spans.map((span) => span.from));
  const length = Math.max(...spans.map((span) => span.to)) - from;
  const began = performance.now();
  await new Promise<void>((resolve) => {
    const frame = () => {
      const gone = (performance.now() - began) / 1000;
      if (gone > seconds) return resolve();
      const shift = Math.sin(gone * 3) * 270;
      pen.fillStyle = '#fff';
      pen.fillRect(0, 0, canvas.width, canvas.height);
      for (const span of spans) {
        const x0 = ((span.from - from) / length) * canvas.width + shift;
        const x1 = Math.max(x0 + 1, ((span.to - from) / length) * canvas.width + shift);
        const y = span.lane * 60 + (span.isWait ? 27 : 22);
        const height = span.isWait ? 14 : 24;
        pen.save();
        pen.beginPath();
        pen.rect(x0, y, x1 - x0, height);
        pen.fillStyle = span.isWait ? '#fff' : '#07477a';
        pen.fill();
        if (span.isWait) {
          pen.clip();
          pen.strokeStyle = '#ac8114';
          pen.beginPath();
          for (let x = x0 - height; x < x1; x += 8) {
            pen.moveTo(x, y + height);
            pen.lineTo(x + height, y);
          }
          pen.stroke();
        }
        pen.restore();
      }
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}
