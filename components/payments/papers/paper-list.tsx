import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { PaperView } from '@/lib/payments/schema-income';
import { DownloadLinks } from '../../ui/controls/download-links';
import { DateTime } from '../../ui/display/date-time';
import { EmptyNote } from '../../ui/display/empty-note';
import { Table } from '../../ui/display/table';
import { UntrustedText } from '../../ui/display/untrusted-text';
import { MoneyText } from '../offers/money';
import { TestBadge } from '../offers/order-phase';

/** Invoices and credit notes, newest first, each as PDF and as structured data. */
export function PaperList({ papers }: { papers: PaperView[] }): ReactNode {
  const t = useTranslations('payments.paperList');
  if (papers.length === 0) return <EmptyNote title={t('empty')}>{t('emptyHint')}</EmptyNote>;
  return (
    <Table caption={t('caption')} cards>
      <thead>
        <tr>
          <th scope="col">{t('paper')}</th>
          <th scope="col">{t('agent')}</th>
          <th data-numeric="" scope="col">
            {t('tax')}
          </th>
          <th data-numeric="" scope="col">
            {t('amount')}
          </th>
          <th scope="col">{t('files')}</th>
        </tr>
      </thead>
      <tbody>
        {papers.map((paper) => (
          <PaperRow key={paper.id} paper={paper} />
        ))}
      </tbody>
    </Table>
  );
}

function PaperRow({ paper }: { paper: PaperView }): ReactNode {
  const t = useTranslations('payments.paperList');
  const { id, kind, number, issuedAt, issuer, agent, currency, test, gross, tax } = paper;
  return (
    <tr>
      <th scope="row">
        <span className="block whitespace-nowrap">{number}</span>
        <span className="block text-xs font-normal text-muted">
          {t(`kinds.${kind}`)} · <DateTime at={issuedAt} show="day" />
        </span>
        {test ? <TestBadge /> : null}
      </th>
      <td className="[overflow-wrap:anywhere]" data-label={t('agent')}>
        <span className="sheet:text-end">
          <UntrustedText text={agent.name} />
          <span className="block text-xs text-muted">
            <UntrustedText text={issuer} />
          </span>
        </span>
      </td>
      <td data-label={t('tax')} data-numeric="">
        <MoneyText money={{ currency, minor: tax }} />
      </td>
      <td data-label={t('amount')} data-numeric="">
        <MoneyText money={{ currency, minor: kind === 'invoice' ? gross : -gross }} />
      </td>
      <td data-label={t('files')}>
        <DownloadLinks
          formats={['pdf', 'xml']}
          label={(format) => t('download', { number, format })}
          path={`/api/papers/${encodeURIComponent(id)}`}
        />
      </td>
    </tr>
  );
}
