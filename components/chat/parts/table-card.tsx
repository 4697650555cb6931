'use client';

import clsx from 'clsx';
import { useLocale, useTranslations } from 'next-intl';
import { type ReactNode, useCallback, useState } from 'react';
import { Button } from '../../ui/controls/button';
import { useFormat } from '../../ui/display/format';
import { Table } from '../../ui/display/table';
import { revealInvisible, UntrustedText, withIndex } from '../../ui/display/untrusted-text';
import type { TableCell, TableColumn, TableView } from './read-table';

/** A table that an agent published. */
export function TableCard({ table }: { table: TableView }): ReactNode {
  const t = useTranslations('parts.tableCard');
  return (
    <div className="space-y-2">
      {table.title ? (
        <p className="text-sm font-medium">
          <UntrustedText text={table.title} />
        </p>
      ) : null}
      <DataRows caption={table.title ?? t('untitled')} columns={table.columns} rows={table.rows} />
    </div>
  );
}

const FIRST_ROWS = 20;
/** Maximum rendered rows. The download contains all of them. */
const MAX_ROWS = 1_000;

export interface DataRowsProps {
  caption: string;
  columns: TableColumn[];
  rows: TableCell[][];
}

/** The rows of a table: the first few, and the rest on request. */
export function DataRows({ caption, columns, rows }: DataRowsProps): ReactNode {
  const t = useTranslations('parts.dataRows');
  const format = useFormat();
  const [all, setAll] = useState(false);
  const shown = rows.slice(0, all ? MAX_ROWS : FIRST_ROWS);
  const hiddenCount = Math.min(rows.length, MAX_ROWS) - shown.length;
  return (
    <div className="space-y-2">
      <Table caption={revealInvisible(caption)}>
        <thead>
          <tr>
            {withIndex(columns).map(({ item: { label, numeric }, index }) => (
              <th className={clsx('whitespace-nowrap', numeric && 'text-end')} key={index} scope="col">
                {revealInvisible(label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {withIndex(shown).map(({ item, index }) => (
            <Row columns={columns} key={index} row={item} />
          ))}
        </tbody>
      </Table>
      {hiddenCount > 0 ? (
        <Button onClick={() => setAll(true)} size="sm">
          {rows.length > MAX_ROWS
            ? t('showFirst', { rows: format.number(MAX_ROWS) })
            : t('showAll', { rows: format.number(rows.length) })}
        </Button>
      ) : null}
      {all && rows.length > MAX_ROWS ? (
        <p className="text-xs text-muted">{t('total', { rows: format.number(rows.length) })}</p>
      ) : null}
    </div>
  );
}

function Row({ columns, row }: { columns: TableColumn[]; row: TableCell[] }): ReactNode {
  const formatNumber = useFormatNumber();
  return (
    <tr>
      {withIndex(row).map(({ item, index }) => (
        <td
          className={clsx('max-w-80', columns[index]?.numeric ? 'text-end tabular-nums' : 'min-w-28')}
          dir="auto"
          key={index}
        >
          {typeof item === 'number' ? formatNumber(item) : revealInvisible(item)}
        </td>
      ))}
    </tr>
  );
}

export type FormatNumber = (value: number) => string;

/** Returns a function that formats an agent's numbers for the reader's language and region. */
export function useFormatNumber(): FormatNumber {
  const locale = useLocale();
  return useCallback((value) => formatNumber(locale, value), [locale]);
}

/**
 * Formats a number for display in a language (BCP 47): integers in full, fractions with four digits, and numbers below
 * 1 with six significant digits. Years are not grouped.
 */
export function formatNumber(locale: string, value: number): string {
  const { small, large } = formatsOf(locale);
  return (Math.abs(value) < 1 ? small : large).format(value);
}

const formats = new Map<string, { small: Intl.NumberFormat; large: Intl.NumberFormat }>();

/** Returns cached formats, because charts format many numbers, and creating a format takes far longer than using it. */
function formatsOf(locale: string): { small: Intl.NumberFormat; large: Intl.NumberFormat } {
  const known = formats.get(locale);
  if (known) return known;
  const made = {
    small: new Intl.NumberFormat(locale, { maximumSignificantDigits: 6, useGrouping: 'min2' }),
    large: new Intl.NumberFormat(locale, { maximumFractionDigits: 4, useGrouping: 'min2' }),
  };
  formats.set(locale, made);
  return made;
}
