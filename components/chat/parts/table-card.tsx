import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { DataRows } from './data-rows';
import { MarkedText } from './marked-text';
import type { TableView } from './read-table';

/** A table that an agent published. */
export function TableCard({ table }: { table: TableView }): ReactNode {
  const t = useTranslations('parts.tableCard');
  return (
    <div className="space-y-2">
      {table.title ? (
        <p className="text-sm font-medium">
          <MarkedText text={table.title} />
        </p>
      ) : null}
      <DataRows caption={table.title ?? t('untitled')} columns={table.columns} rows={table.rows} />
    </div>
  );
}
