import gifenc from 'gifenc';
import { PNG } from 'pngjs';

const { GIFEncoder, applyPalette, quantize } = gifenc;
/** One of the 256 colours means "unchanged since the previous frame". */
const MOST_COLOURS = 255;

type Frame = { pixels: Uint8Array; width: number; height: number; atMs: number };

/**
 * Collects screenshots, and makes one GIF of them at the end. A frame that shows nothing new only lengthens the
 * previous frame.
 */
export class MovingPicture {
  #frames: Frame[] = [];

  /** Takes a screenshot made `atMs` after the beginning. */
  add(png: Uint8Array, atMs: number): void {
    const { data, width, height } = PNG.sync.read(Buffer.from(png));
    const last = this.#frames.at(-1);
    if (last && Buffer.compare(last.pixels, data) === 0) return;
    this.#frames.push({ pixels: data, width, height, atMs });
  }

  /** The whole as a GIF; the last frame stays for `restMs`. */
  gif(restMs: number): Uint8Array {
    const palette = quantize(this.#sample(), MOST_COLOURS);
    const unchanged = palette.length;
    palette.push([0, 0, 0]);
    const gif = GIFEncoder();
    let before: Uint8Array | undefined;
    for (const [n, frame] of this.#frames.entries()) {
      const index = applyPalette(frame.pixels, palette.slice(0, unchanged));
      const shown = before ? onlyChanges(index, before, unchanged) : index;
      const next = this.#frames[n + 1];
      gif.writeFrame(shown, frame.width, frame.height, {
        ...(before ? {} : { palette }),
        transparent: before !== undefined,
        transparentIndex: unchanged,
        delay: next ? next.atMs - frame.atMs : restMs,
        dispose: 1,
      });
      before = index;
    }
    gif.finish();
    return gif.bytes();
  }

  /** Pixels of frames from all over the picture: one palette serves them all. */
  #sample(): Uint8Array {
    const step = Math.max(1, Math.floor(this.#frames.length / 8));
    return Buffer.concat(this.#frames.filter((_, n) => n % step === 0).map(({ pixels }) => pixels));
  }
}

function onlyChanges(index: Uint8Array, before: Uint8Array, unchanged: number): Uint8Array {
  return index.map((colour, at) => (colour === before[at] ? unchanged : colour));
}
