import type { ReactNode } from 'react';
import { Popover } from '../ui/Popover.tsx';

/** On, degraded, off. Each state has its own shape, so that colour is not needed. */
export type Dot = '●' | '◐' | '○';

type ChipProps = {
  dot: Dot;
  title: string;
  label: ReactNode;
  children: ReactNode | ((close: () => void) => ReactNode);
};

/** An entry of the health strip: a state, its label, and a popover that explains it. */
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
