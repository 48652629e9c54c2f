import type { ShownWaits } from '../../data/queries/waits.ts';

/** Both ranges; undefined: not loaded. */
export type Both = { readonly one: ShownWaits | undefined; readonly other: ShownWaits | undefined };
