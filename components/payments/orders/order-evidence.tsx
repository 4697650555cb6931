'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { OrderView, ReceiptView } from '@/lib/payments/schema';
import { saveFile } from '../../chat/parts/save-button';
import { Button } from '../../ui/controls/button';
import { Badge } from '../../ui/display/badge';
import { DownloadIcon } from '../../ui/display/icons';

export interface OrderEvidenceProps {
  order: OrderView;
  receipt: ReceiptView;
}

const approvalTexts = {
  passkey: 'approvalPasskey',
  session: 'approvalSession',
  token: 'approvalToken',
  standing: 'approvalStanding',
} as const;

/** Evidence of an order for third parties: signed receipts and the approved mandate, to download. */
export function OrderEvidence({ order, receipt }: OrderEvidenceProps): ReactNode {
  const t = useTranslations('payments.orderEvidence');
  const { token, merchantReceipt, approval } = receipt;
  if (!token && !merchantReceipt && !approval) return null;
  return (
    <section aria-labelledby="evidence-title">
      <h2 className="text-xl font-semibold" id="evidence-title">
        {t('title')}
      </h2>
      <p className="mt-1 max-w-prose text-muted">{t('lead')}</p>
      <ul className="mt-4 divide-y divide-line rounded-lg border border-line bg-surface text-sm">
        {token ? (
          <Evidence name={`receipt-${order.id}.jwt`} text={token} title={t('receipt')} what={t('receiptHint')} />
        ) : null}
        {merchantReceipt ? (
          <Evidence
            badge={merchantReceipt.verified ? null : t('notVerified')}
            name={`merchant-receipt-${order.id}.jwt`}
            text={merchantReceipt.token}
            title={t('merchantReceipt')}
            what={t(merchantReceipt.verified ? 'merchantReceiptVerified' : 'merchantReceiptUnverified')}
          />
        ) : null}
        {approval ? (
          <Evidence
            name={`approval-${order.id}.json`}
            text={approval.text}
            title={t('approval')}
            what={t(approvalTexts[approval.method])}
          />
        ) : null}
      </ul>
    </section>
  );
}

interface EvidenceProps {
  title: string;
  what: string;
  badge?: string | null;
  /** Name of the file and of its content. */
  name: string;
  text: string;
}

function Evidence({ title, what, badge, name, text }: EvidenceProps): ReactNode {
  const t = useTranslations('payments.orderEvidence');
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-3">
      <span className="min-w-0">
        <span className="block font-medium">
          {title} {badge ? <Badge tone="warn">{badge}</Badge> : null}
        </span>
        <span className="block text-muted">{what}</span>
      </span>
      <Button
        aria-label={t('downloadWhat', { title })}
        className="print:hidden"
        icon={<DownloadIcon size={16} />}
        onClick={() => saveFile({ name, bytes: new TextEncoder().encode(text) })}
        size="sm"
      >
        {t('download')}
      </Button>
    </li>
  );
}
