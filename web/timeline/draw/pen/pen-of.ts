/** The 2D context of a canvas, scaled to CSS pixels. Throws if the browser has none. */
export function penOf(canvas: HTMLCanvasElement, isOpaque: boolean): CanvasRenderingContext2D {
  const pen = canvas.getContext('2d', { alpha: !isOpaque });
  if (!pen) throw new Error('this browser has no 2D canvas');
  const ratio = window.devicePixelRatio || 1;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  return pen;
}
