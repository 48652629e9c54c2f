import { useWords } from '../words/language.ts';

type NumbersTableProps = {
  title: string;
  /** The heading of each column. The first column has the row heads. */
  heads: readonly string[];
  rows: readonly { readonly key: number; readonly head: string; readonly cells: readonly string[] }[];
};

/** The numbers of a chart, for screen readers. */
export function NumbersTable({ title, heads, rows }: NumbersTableProps) {
  const words = useWords().charts;
  const columns = heads.slice(1);
  return (
    <div className="only-heard">
      <table>
        <caption>{words.inNumbers(title)}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, head, cells }) => (
            <tr key={key}>
              <th scope="row">{head}</th>
              {columns.map((column, nth) => (
                <td key={column}>{cells[nth]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
