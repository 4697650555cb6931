'use client';

import { type ReactNode, Suspense, useCallback, useEffect, useId, useRef, useState } from 'react';
import type { OrderView } from '@/lib/payments/schema';
import { cleanLine } from '../../lib/protocol/a2a/cards/clean-text';
import { orderPath } from '../shell/routes';
import { Button } from '../ui/button';
import { lazyPart } from '../ui/lazy-part';
import { LinkButton } from '../ui/link-button';
import { DeclineButton } from './decline-button';
import { formatMoney } from './format-money';
import { isDeclined, phaseOf, reasonOf } from './order-phase';
import { hostedPageOf } from './use-hosted-page';
import { useNowUntil } from './use-now-until';

const ReviewDialog = lazyPart(async () => (await import('./review-dialog')).ReviewDialog);

export interface PayOrderProps {
  order: OrderView;
  onChange: (order: OrderView) => void;
  /** The page that this stands on: after signing in again the person comes back to it. */
  path: string;
  /** Asks the agent for something in the person's name. */
  onReply?: (text: string) => void;
  /** Leads from here to the order's own page. */
  withLink?: boolean;
}

/** What a person can do about an order, and where it stands. A button that does nothing says why. */
export function PayOrder({ order, onChange, path, onReply, withLink = false }: PayOrderProps): ReactNode {
  const [open, setOpen] = useOpenAfterSignIn(order);
  const [asked, setAsked] = useState(false);
  const outcome = useRef<HTMLParagraphElement>(null);
  const reason = useId();
  const total = order.offer ? formatMoney(order.offer.total) : '';
  const phase = phaseOf(order);
  const expiresAt = Date.parse(order.offer?.expiresAt ?? '') || Number.POSITIVE_INFINITY;
  const now = useNowUntil(phase === 'open' && Number.isFinite(expiresAt) ? expiresAt : 0);
  const late = phase === 'open' && now !== null && now >= expiresAt;
  const page = hostedPageOf(order);

  const told = useRef(false);
  const change = useCallback(
    (next: OrderView) => {
      onChange(next);
      if (!isDeclined(next) || told.current) return;
      told.current = true;
      onReply?.(`I decline this offer (cart ${cleanLine(next.offer?.cartId ?? next.id).slice(0, 80)}).`);
    },
    [onChange, onReply],
  );

  const close = useCallback(() => {
    setOpen(false);
    // The button that opened it may be gone: then the focus goes to what came of it.
    setTimeout(() => {
      if (document.activeElement === document.body) outcome.current?.focus({ preventScroll: true });
    }, 50);
  }, [setOpen]);

  return (
    <div className="space-y-2 border-t border-line pt-3 print:hidden">
      <div className="flex flex-wrap items-center gap-2">
        {phase === 'open' && !late ? (
          <>
            <Button aria-describedby={reason} onClick={() => setOpen(true)} tone="primary">
              Review and pay {total}
            </Button>
            <DeclineButton
              onDeclined={(declined) => {
                change(declined);
                outcome.current?.focus({ preventScroll: true });
              }}
              orderId={order.id}
            />
          </>
        ) : null}
        {phase === 'refused' || late ? (
          <Button aria-describedby={reason} disabled tone="primary">
            Pay {total}
          </Button>
        ) : null}
        {page ? (
          <a className="text-link font-medium" href={page}>
            Go to the payment page
          </a>
        ) : null}
        {withLink && (phase === 'paid' || phase === 'processing' || phase === 'ended') ? (
          <LinkButton href={orderPath(order.id)} size="sm">
            {phase === 'paid' ? 'See the receipt' : 'See the order'}
          </LinkButton>
        ) : null}
        {onReply && !asked && (late || phase === 'ended' || order.state === 'expired') ? (
          <Button
            onClick={() => {
              onReply('The offer has expired. Please make me a new one.');
              setAsked(true);
            }}
            tone="quiet"
          >
            Ask for a new offer
          </Button>
        ) : null}
      </div>
      <p className="text-xs text-muted outline-none" id={reason} ref={outcome} role="status" tabIndex={-1}>
        {asked ? 'You asked for a new offer.' : explain(order, late)}
      </p>
      {open ? (
        <Suspense fallback={null}>
          <ReviewDialog onChange={change} onClose={close} order={order} returnTo={`${path}?pay=${order.id}`} />
        </Suspense>
      ) : null}
    </div>
  );
}

function explain(order: OrderView, late: boolean): string {
  if (late) return 'The offer has expired. Nothing was charged.';
  const phase = phaseOf(order);
  if (phase === 'open') return 'You see everything once more before anything is charged.';
  if (phase === 'paid' && order.payment && order.offer) return paidText(order.payment, order.offer.total.currency);
  return reasonOf(order) ?? '';
}

function paidText({ captured, refunded, test }: NonNullable<OrderView['payment']>, currency: string): string {
  const paid = `${formatMoney({ currency, minor: captured })} paid${test ? ' with test credits' : ''}.`;
  return refunded > 0 ? `${paid} ${formatMoney({ currency, minor: refunded })} refunded.` : paid;
}

/** Open by itself once, when the person comes back from signing in for this order. */
function useOpenAfterSignIn({ id }: OrderView): [boolean, (open: boolean) => void] {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const url = new URL(window.location.href);
    if (url.searchParams.get('pay') !== id) return;
    url.searchParams.delete('pay');
    window.history.replaceState(window.history.state, '', url);
    setOpen(true);
  }, [id]);
  return [open, setOpen];
}
