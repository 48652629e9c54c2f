import { makeStoredChoice } from './stored-choice.ts';
import { useChoice } from './use-choice.ts';

/** Row height of tables. CSS chooses the paddings by `data-density`. */
export const density = makeStoredChoice('density', ['comfortable', 'compact']);

const ROW_PX = { comfortable: 30, compact: 24 } as const;

/** Applies the chosen density to the page, now and at each change. */
export function applyDensity(): void {
  const apply = () => {
    document.documentElement.dataset.density = density.get();
  };
  density.subscribe(apply);
  apply();
}

/** Returns the height of a table row in CSS pixels. */
export function useRowHeight(): number {
  return ROW_PX[useChoice(density)];
}
