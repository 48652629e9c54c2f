import type { Observatory } from '../watch/observatory.ts';
import type { ObservatoryOptions } from '../watch/topology/options.ts';
import type { Store } from './store.ts';

/** Creates an observatory that is kept in a store, if there is one. The store is closed after it. */
export function withStore(
  store: Store | undefined,
  create: (options: Pick<ObservatoryOptions, 'keeper'>) => Observatory,
): Observatory {
  if (!store) return create({});
  const observatory = create({ keeper: store });
  return {
    ...observatory,
    async stop() {
      await observatory.stop();
      await store.close();
    },
  };
}
