/** The parts of gifenc in use; the package brings no types of its own. */
declare module 'gifenc' {
  /** RGB, 0 to 255 each. */
  type Palette = [number, number, number][];
  type FrameOptions = {
    palette?: Palette;
    transparent?: boolean;
    transparentIndex?: number;
    /** Milliseconds. */
    delay?: number;
    dispose?: number;
  };
  const gifenc: {
    GIFEncoder(): {
      writeFrame(index: Uint8Array, width: number, height: number, options: FrameOptions): void;
      finish(): void;
      bytes(): Uint8Array;
    };
    quantize(rgba: Uint8Array, maxColors: number): Palette;
    applyPalette(rgba: Uint8Array, palette: Palette): Uint8Array;
  };
  export default gifenc;
}
