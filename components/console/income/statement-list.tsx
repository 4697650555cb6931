import { useLocale, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { Statements } from '@/lib/payments/schema-payouts';
import { DownloadLinks } from '../../ui/controls/download-links';
import { EmptyNote } from '../../ui/display/empty-note';
import { Table } from '../../ui/display/table';

/** The statements of each month and year since the first sale, to download. */
export function StatementList({ statements: { months, years } }: { statements: Statements }): ReactNode {
  const t = useTranslations('console.statementList');
  if (months.length === 0) return <EmptyNote title={t('empty')}>{t('emptyHint')}</EmptyNote>;
  return (
    <Table caption={t('caption')} cards>
      <thead>
        <tr>
          <th scope="col">{t('period')}</th>
          <th scope="col">{t('files')}</th>
        </tr>
      </thead>
      <tbody>
        {[...years, ...months].map((period) => (
          <StatementRow key={period} period={period} />
        ))}
      </tbody>
    </Table>
  );
}

function StatementRow({ period }: { period: string }): ReactNode {
  const t = useTranslations('console.statementList');
  const month = new Intl.DateTimeFormat(useLocale(), { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const name = period.length === 4 ? t('year', { year: period }) : month.format(new Date(`${period}-01T00:00:00Z`));
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-label={t('files')}>
        <DownloadLinks
          formats={['pdf', 'csv']}
          label={(format) => t('download', { name, format })}
          path={`/api/statements/${period}`}
        />
      </td>
    </tr>
  );
}
