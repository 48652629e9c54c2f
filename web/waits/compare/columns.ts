import type { ShownWaits } from '../../data/waits.ts';

/** Both stretches; undefined: not loaded. */
export type Both = { readonly one: ShownWaits | undefined; readonly other: ShownWaits | undefined };
