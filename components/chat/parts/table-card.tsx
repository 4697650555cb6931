import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { UntrustedText } from '../../ui/display/untrusted-text';
import { DataRows } from './data-rows';
import type { TableView } from './read-table';

/** A table published by an agent. */
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
