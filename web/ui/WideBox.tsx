import type { ReactNode } from 'react';

/** Holds what may be wider than the window: it scrolls by itself, by keyboard as well. */
export function WideBox({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className={className} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
