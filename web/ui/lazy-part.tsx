import { type ComponentType, lazy } from 'react';

/** A part of the page loaded when first shown. A load that failed is begun anew with the next try to show it. */
export function lazyPart<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const loadOnce = () =>
    load().catch((error: unknown) => {
      Part = lazy(loadOnce); // what failed would fail for ever
      throw error;
    });
  let Part = lazy(loadOnce);
  return function LazyPart(props: Props) {
    return <Part {...props} />;
  };
}
