import { redisTime } from '../../shared/base/time.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Popover } from '../ui/Popover.tsx';
import { useWords } from '../words/language.ts';
import { fileName, saveFile } from './save-file.ts';
import { csvOf, jsonOf, type TableRow } from './table-text.ts';

type TableMenuProps = {
  /** What the rows are, for the names of the files. */
  name: string;
  /** The rows at the shown instant. */
  take: () => readonly TableRow[];
};

/** A button that saves a table as CSV or JSON, or copies it. */
export default function TableMenu({ name, take }: TableMenuProps) {
  const { share } = useWords();
  return (
    <Popover label={share.table} title={share.tableTitle} className="button is-small">
      {() => <TableBody name={name} rows={take()} />}
    </Popover>
  );
}

function TableBody({ name, rows }: { name: string; rows: readonly TableRow[] }) {
  const { share } = useWords();
  const save = (ending: 'csv' | 'json') => {
    const text = ending === 'csv' ? csvOf(rows) : jsonOf(rows);
    const type = ending === 'csv' ? 'text/csv;charset=utf-8' : 'application/json';
    saveFile(new Blob([text], { type }), fileName(name, redisTime(Date.now() * 1000), ending));
  };
  return (
    <div className="popover-body share">
      <h2>{share.tableTitle}</h2>
      <p>
        <button type="button" className="button is-small" onClick={() => save('csv')}>
          {share.saveAs('CSV')}
        </button>{' '}
        <button type="button" className="button is-small" onClick={() => save('json')}>
          {share.saveAs('JSON')}
        </button>{' '}
        <CopyButton text={csvOf(rows)} label={share.copyAs('CSV')} />
      </p>
      <p className="quiet">{share.tableHint(rows.length)}</p>
    </div>
  );
}
