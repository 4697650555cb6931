'use client';

import { type ReactNode, useEffect, useRef } from 'react';
import type { OrderView } from '@/lib/payments/schema';
import { orderPath } from '../shell/routes';
import { announce } from '../ui/announcer';
import { Button } from '../ui/button';
import { CheckIcon, WarningIcon } from '../ui/icons';
import { LinkButton } from '../ui/link-button';
import { Spinner } from '../ui/spinner';
import { formatMoney } from './format-money';
import { TestBadge } from './order-badge';
import { isDeclined, type OrderPhase, phaseOf, reasonOf } from './order-phase';
import { hostedPageOf, useHostedPage } from './use-hosted-page';
import { useOrder } from './use-order';

export interface PaymentResultProps {
  /** The order as the approval left it. */
  first: OrderView;
  onChange: (order: OrderView) => void;
  onClose: () => void;
}

/** What became of an approval: it follows the order until it is settled. Each new outcome takes the focus and is said. */
export function PaymentResult({ first, onChange, onClose }: PaymentResultProps): ReactNode {
  const latest = useOrder(first);
  const phase = phaseOf(latest);
  const title = titleOf(latest);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => onChange(latest), [latest, onChange]);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    announce(title);
  }, [title]);
  useHostedPage(latest);
  const page = hostedPageOf(latest);

  return (
    <div className="space-y-4 text-sm">
      <div className="flex items-start gap-3">
        <ResultIcon phase={phase} />
        <div className="min-w-0 space-y-1">
          <h3 className="text-base font-semibold outline-none" ref={heading} tabIndex={-1}>
            {title}
          </h3>
          <p className="text-muted">{reasonOf(latest)}</p>
          {latest.payment?.test ? <TestBadge /> : null}
        </div>
      </div>
      <div className="flex flex-wrap justify-end gap-2 border-t border-line pt-4">
        {page ? (
          <a className="text-link me-auto self-center" href={page}>
            Go to the payment page
          </a>
        ) : null}
        <LinkButton href={orderPath(latest.id)}>{phase === 'paid' ? 'See the receipt' : 'See the order'}</LinkButton>
        <Button onClick={onClose} tone="primary">
          Done
        </Button>
      </div>
    </div>
  );
}

function ResultIcon({ phase }: { phase: OrderPhase }): ReactNode {
  if (phase === 'processing') return <Spinner className="mt-0.5 text-accent" />;
  if (phase === 'paid') return <CheckIcon className="mt-0.5 shrink-0 text-good" size={20} />;
  return <WarningIcon className="mt-0.5 shrink-0 text-warn" size={20} />;
}

function titleOf(order: OrderView): string {
  const total = order.offer ? formatMoney(order.offer.total, 'name') : 'the total';
  const payee = order.offer?.merchantName ?? order.agent.name;
  switch (phaseOf(order)) {
    case 'paid':
      return `Paid ${total} to ${payee}.`;
    case 'processing':
      return `Processing ${total} to ${payee}.`;
    case 'action':
      return 'The payment provider needs you.';
    case 'ended':
      return 'Not paid.';
    case 'refused':
      return isDeclined(order) ? 'You declined this offer.' : 'This offer can no longer be paid.';
    case 'open':
      return 'Not paid yet.';
  }
}
