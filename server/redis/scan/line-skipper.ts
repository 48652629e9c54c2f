import { SCAN_MODULE } from './scan-module.ts';

/** Places of the memory, as in the drawing of `README.md`. The same numbers are in `assembly/skip-lines.ts`. */
const [RULES, NEAR, KNOWN, FOUND, READ] = [0, 0x2000, 0x10000, 0x110000, 0x120000];
const MOST_OF_READ = 0x20000;

/** The part of WebAssembly that is used: the types of Node do not have it. */
type Wasm = {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
};

/** The tables by which it is decided whether a line may matter. */
type Tables = { readonly rules: Uint16Array; readonly known: Uint8Array; readonly near: Uint8Array };

type Scan = {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Returns the place at which it stopped. */
  skip(previous: number, from: number, to: number): number;
};

/** Compiled once in each thread, when it is first needed. */
let scanModule: object | undefined;

/** Skips MONITOR lines that cannot matter, many in one call, if the bytes of a read are in its memory. */
export class LineSkipper {
  /** The bits of known names: parts of the memory of the module. */
  readonly known: Uint8Array<ArrayBuffer>;
  readonly near: Uint8Array<ArrayBuffer>;
  /** What a connection reads into: a part of the memory of the module. */
  readonly room: Buffer;
  /** How many lines the last call of `skip` with a read in `room` has skipped, and where the last one begins. */
  count = 0;
  last = 0;
  readonly #scan: Scan;
  readonly #found: Uint32Array;

  private constructor(scan: Scan, { rules, known, near }: Tables) {
    const { buffer } = scan.memory;
    this.#scan = scan;
    this.#found = new Uint32Array(buffer, FOUND, 2);
    this.room = Buffer.from(buffer, READ, MOST_OF_READ);
    this.known = new Uint8Array(buffer, KNOWN, known.length);
    this.known.set(known);
    this.near = new Uint8Array(buffer, NEAR, near.length);
    this.near.set(near);
    new Uint16Array(buffer, RULES, rules.length).set(rules);
  }

  /**
   * `undefined` if this Node has no WebAssembly with SIMD, or no room for the memory of the module: then JavaScript
   * looks at each line.
   */
  static open(tables: Tables): LineSkipper | undefined {
    const wasm = Reflect.get(globalThis, 'WebAssembly') as Wasm | undefined; // some builds of Node have no WebAssembly
    if (!wasm) return undefined;
    try {
      scanModule ??= new wasm.Module(Buffer.from(SCAN_MODULE, 'base64'));
      const { exports } = new wasm.Instance(scanModule);
      return new LineSkipper(exports as Scan, tables); // its exports are those of the source
    } catch {
      return undefined;
    }
  }

  /**
   * Skips lines after the one that begins at `previous`, from `from` on. Returns the place of the first byte that is
   * left. There begins a line that may matter, a line of another second than the line at `previous`, a cut line, or
   * anything but a line. Nothing is skipped if `read` is not a part of `room`: in a busy process, a copy costs as much
   * as skipping saves.
   */
  skip(read: Buffer, previous: number, from: number): number {
    if (read.buffer !== this.room.buffer) return from;
    const place = read.byteOffset;
    const next = this.#scan.skip(place + previous, place + from, place + read.length) - place;
    this.count = this.#found[0] ?? 0;
    this.last = (this.#found[1] ?? 0) - place;
    return next;
  }
}
