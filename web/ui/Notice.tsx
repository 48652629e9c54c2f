import { CircleX, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';

type NoticeProps = {
  /** Screen readers announce a `problem` immediately, and a `hint` when they are idle. */
  tone: 'problem' | 'hint';
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
};

/** A banner: what happened and what to do next. */
export function Notice({ tone, title, children, actions }: NoticeProps) {
  return (
    <div className={`notice is-${tone}`} role={tone === 'problem' ? 'alert' : 'status'}>
      <span className="notice-sign" aria-hidden="true">
        <Icon of={tone === 'problem' ? CircleX : Info} />
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
