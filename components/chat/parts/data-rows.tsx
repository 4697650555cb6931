'use client';

import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button';
import { Table } from '../../ui/table';
import { withMarks } from './mark-hidden';
import { numbered } from './numbered';
import type { TableColumn } from './read-table';

const FIRST_ROWS = 20;
/** More rows than this would make the page slow; the download has them all. */
const MOST_ROWS = 1_000;

export interface DataRowsProps {
  caption: string;
  columns: TableColumn[];
  rows: string[][];
}

/** The rows of a table, the first few at once and the rest when asked for. */
export function DataRows({ caption, columns, rows }: DataRowsProps): ReactNode {
  const t = useTranslations('parts.dataRows');
  const [all, setAll] = useState(false);
  const shown = rows.slice(0, all ? MOST_ROWS : FIRST_ROWS);
  const hiddenCount = Math.min(rows.length, MOST_ROWS) - shown.length;
  return (
    <div className="space-y-2">
      <Table caption={withMarks(caption)}>
        <thead>
          <tr>
            {numbered(columns).map(({ item: { label, numeric }, at }) => (
              <th className={clsx('whitespace-nowrap', numeric && 'text-end')} key={at} scope="col">
                {withMarks(label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {numbered(shown).map(({ item, at }) => (
            <Row columns={columns} key={at} row={item} />
          ))}
        </tbody>
      </Table>
      {hiddenCount > 0 ? (
        <Button onClick={() => setAll(true)} size="sm">
          {rows.length > MOST_ROWS
            ? t('showFirst', { rows: MOST_ROWS.toLocaleString('en') })
            : t('showAll', { rows: String(rows.length) })}
        </Button>
      ) : null}
      {all && rows.length > MOST_ROWS ? (
        <p className="text-xs text-muted">{t('total', { rows: rows.length.toLocaleString('en') })}</p>
      ) : null}
    </div>
  );
}

function Row({ columns, row }: { columns: TableColumn[]; row: string[] }): ReactNode {
  return (
    <tr>
      {numbered(row).map(({ item, at }) => (
        <td
          className={clsx('max-w-80', columns[at]?.numeric ? 'text-end tabular-nums' : 'min-w-28')}
          dir="auto"
          key={at}
        >
          {withMarks(item)}
        </td>
      ))}
    </tr>
  );
}
