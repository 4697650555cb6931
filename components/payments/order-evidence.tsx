'use client';

import type { ReactNode } from 'react';
import type { OrderView, ReceiptView } from '@/lib/payments/schema';
import { saveFile } from '../chat/parts/save-file';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { DownloadIcon } from '../ui/icons';

export interface OrderEvidenceProps {
  order: OrderView;
  receipt: ReceiptView;
}

/** What proves an order to anybody: signed receipts and what was approved, to keep. */
export function OrderEvidence({ order, receipt }: OrderEvidenceProps): ReactNode {
  const { token, merchantReceipt, approval } = receipt;
  if (!token && !merchantReceipt && !approval) return null;
  return (
    <section aria-labelledby="evidence-title">
      <h2 className="text-xl font-semibold" id="evidence-title">
        Evidence
      </h2>
      <p className="mt-1 max-w-prose text-muted">
        Signed texts that prove the payment to others, also when Parley and the agent are gone.
      </p>
      <ul className="mt-4 divide-y divide-line rounded-lg border border-line bg-surface text-sm">
        {token ? (
          <Evidence
            name={`receipt-${order.id}.jwt`}
            text={token}
            title="Receipt of Parley"
            what="Signed by Parley when the money was collected."
          />
        ) : null}
        {merchantReceipt ? (
          <Evidence
            badge={merchantReceipt.verified ? null : 'Not verified'}
            name={`merchant-receipt-${order.id}.jwt`}
            text={merchantReceipt.token}
            title="Receipt of the merchant"
            what={
              merchantReceipt.verified
                ? 'Signed with the key that the merchant registered; checked by Parley.'
                : 'The signature could not be verified.'
            }
          />
        ) : null}
        {approval ? (
          <Evidence
            name={`approval-${order.id}.json`}
            text={approval.text}
            title="Your approval"
            what={
              approval.method === 'passkey'
                ? 'What you approved, word for word; your passkey signed it.'
                : 'What you approved, word for word, while signed in.'
            }
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
  /** Name of the file and what is in it. */
  name: string;
  text: string;
}

function Evidence({ title, what, badge, name, text }: EvidenceProps): ReactNode {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-3">
      <span className="min-w-0">
        <span className="block font-medium">
          {title} {badge ? <Badge tone="warn">{badge}</Badge> : null}
        </span>
        <span className="block text-muted">{what}</span>
      </span>
      <Button
        aria-label={`Download: ${title}`}
        className="print:hidden"
        icon={<DownloadIcon size={16} />}
        onClick={() => saveFile({ name, bytes: new TextEncoder().encode(text) })}
        size="sm"
      >
        Download
      </Button>
    </li>
  );
}
