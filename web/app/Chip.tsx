import type { ReactNode } from 'react';
import { Popover } from '../ui/Popover.tsx';

/** On, degraded, off: a shape each, beside its word. */
export type Dot = '●' | '◐' | '○';

type ChipProps = {
  dot: Dot;
  title: string;
  label: ReactNode;
  children: ReactNode | ((close: () => void) => ReactNode);
};

/** A word of the health strip with its shape, and an explanation behind it. */
export function Chip({ dot, title, label, children }: ChipProps) {
  return (
    <Popover
      className={`chip ${dot === '●' ? 'is-on' : dot === '◐' ? 'is-degraded' : 'is-off'}`}
      title={title}
      label={
        <>
          <span className="chip-dot" aria-hidden="true">
            {dot}
          </span>
          <span className="chip-label">{label}</span>
        </>
      }
    >
      {(close) => (
        <div className="popover-body">
          <h2>{title}</h2>
          {typeof children === 'function' ? children(close) : children}
        </div>
      )}
    </Popover>
  );
}
