import { Component, createContext, type ErrorInfo, type ReactNode } from 'react';
import { currentWords } from '../words/language.ts';
import { CopyButton } from './CopyButton.tsx';

type Props = { what: string; children: ReactNode };
type State = { error: Error | null; where: string; tries: number };

/** How often the user has pressed "try again" in the boundary around this part. */
export const Tries = createContext(0);

/** The code of a part could not be loaded. */
export class NotLoaded extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Isolates one part of the page: if it throws, the rest keeps working. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, where: '', tries: 0 };

  static getDerivedStateFromError(error: Error): Partial<State> {
    return { error };
  }

  override componentDidCatch(_error: Error, info: ErrorInfo): void {
    this.setState({ where: info.componentStack ?? '' });
  }

  override render(): ReactNode {
    const { error, where, tries } = this.state;
    if (!error) return <Tries value={tries}>{this.props.children}</Tries>;
    const { common } = currentWords();
    return (
      <div className="empty-state" role="alert">
        <p className="empty-title">{common.couldNotBeShown(this.props.what)}</p>
        <p>{error instanceof NotLoaded ? common.notLoaded : error.message}</p>
        <div className="empty-actions">
          <button
            type="button"
            className="button"
            onClick={() => this.setState({ error: null, where: '', tries: tries + 1 })}
          >
            {common.tryAgain}
          </button>
          <CopyButton text={`${error.stack ?? error.message}\n${where}`} label={common.copyDetails} />
        </div>
      </div>
    );
  }
}
