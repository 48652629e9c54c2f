import type { ReactNode } from 'react';

/** A box for content that may be wider than the window. It scrolls on its own, also by keyboard. */
export function WideBox({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className={className} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
