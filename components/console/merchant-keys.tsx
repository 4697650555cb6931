import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { MerchantView } from '@/lib/payments/schema-merchants';
import { Alert } from '../ui/display/alert';
import { DateTime } from '../ui/display/date-time';
import { Literal } from '../ui/display/fact-list';
import { Table } from '../ui/display/table';

/** A listing's valid keys, and the expiry dates of replaced ones. */
export function MerchantKeys({ keys }: Pick<MerchantView, 'keys'>): ReactNode {
  const t = useTranslations('console.merchantKeys');
  if (keys.length === 0) {
    return (
      <Alert title={t('none')} tone="warn">
        {t('noneText')}
      </Alert>
    );
  }
  return (
    <Table caption={t('caption')}>
      <thead>
        <tr>
          <th scope="col">{t('key')}</th>
          <th scope="col">{t('since')}</th>
          <th scope="col">{t('until')}</th>
        </tr>
      </thead>
      <tbody>
        {keys.map(({ kid, createdAt, retiresAt }) => (
          <tr key={kid}>
            <th scope="row">
              <Literal>{kid}</Literal>
            </th>
            <td className="whitespace-nowrap">
              <DateTime at={createdAt} />
            </td>
            <td className="whitespace-nowrap">{retiresAt ? <DateTime at={retiresAt} /> : t('untilReplaced')}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
