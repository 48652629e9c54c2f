import { CircleCheck, CircleX, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';

/** `done`: what the user asked for has succeeded. */
const SIGNS = { problem: CircleX, hint: Info, done: CircleCheck };

type NoticeProps = {
  /** Screen readers announce a `problem` immediately, and other tones when they are idle. */
  tone: keyof typeof SIGNS;
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
};

/** A banner: what happened and what to do next. */
export function Notice({ tone, title, children, actions }: NoticeProps) {
  return (
    <div className={`notice is-${tone}`} role={tone === 'problem' ? 'alert' : 'status'}>
      <span className="notice-sign" aria-hidden="true">
        <Icon of={SIGNS[tone]} />
      </span>
      <div className="notice-text">
        <strong>{title}</strong>
        {children && <div>{children}</div>}
      </div>
      {actions && <div className="notice-actions">{actions}</div>}
    </div>
  );
}

type EmptyStateProps = { title: string; children?: ReactNode; actions?: ReactNode };

/** Explains why a part of the page is empty, with buttons for what to do next. */
export function EmptyState({ title, children, actions }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <p className="empty-title">{title}</p>
      {children}
      {actions && <div className="empty-actions">{actions}</div>}
    </div>
  );
}
