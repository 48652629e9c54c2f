import type { ReactNode } from 'react';

type NoticeProps = {
  /** `problem` is read out at once, `hint` when there is time. */
  tone: 'problem' | 'hint';
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
};

/** A banner: what happened, what to do. */
export function Notice({ tone, title, children, actions }: NoticeProps) {
  return (
    <div className={`notice is-${tone}`} role={tone === 'problem' ? 'alert' : 'status'}>
      <span className="notice-sign" aria-hidden="true">
        {tone === 'problem' ? '✕' : '▲'}
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

/** Says which nothing this is, and the way out. */
export function EmptyState({ title, children, actions }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <p className="empty-title">{title}</p>
      {children}
      {actions && <div className="empty-actions">{actions}</div>}
    </div>
  );
}
