import { makeStoredChoice } from './stored-choice.ts';
import { useChoice } from './use-choice.ts';

/** How close together the rows of tables stand. The paddings are tokens, chosen by `data-density`. */
export const density = makeStoredChoice('density', ['comfortable', 'compact']);

const ROW_PX = { comfortable: 30, compact: 24 } as const;

/** Keeps the page at the density chosen, from now on. */
export function applyDensity(): void {
  const apply = () => {
    document.documentElement.dataset.density = density.get();
  };
  density.subscribe(apply);
  apply();
}

/** Height of a row of a table, in CSS pixels. */
export function useRowHeight(): number {
  return ROW_PX[useChoice(density)];
}
