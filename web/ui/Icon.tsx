import type { LucideIcon } from 'lucide-react';

/** An icon beside a label, or in a button that has an accessible name. Screen readers ignore it. */
export function Icon({ of: Shape }: { of: LucideIcon }) {
  return <Shape size={16} strokeWidth={1.5} className="icon" aria-hidden="true" />;
}
