'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, Suspense, useCallback, useEffect, useId, useRef, useState } from 'react';
import type { OrderView } from '@/lib/payments/schema';
import { callApi } from '../../forms/call-api';
import { orderPath } from '../../routes';
import { Button, LinkButton } from '../../ui/controls/button';
import { MoreIcon } from '../../ui/display/action-icons';
import { Alert } from '../../ui/display/alert';
import { LazyMenu, lazyComponent } from '../../ui/overlays/lazy';
import { toast } from '../../ui/overlays/toast';
import { useFormatMoney } from '../offers/money';
import { useCountdown } from '../offers/offer-expiry';
import { phaseOf, reasonOf } from '../offers/order-phase';
import { hostedPageOf } from '../offers/use-hosted-page';

const ReviewDialog = lazyComponent(async () => (await import('./review-dialog')).ReviewDialog);
const loadMenu = () => import('./offer-menu');
const OfferMenu = lazyComponent(async () => (await loadMenu()).OfferMenu);

interface PayOrderProps {
  order: OrderView;
  onChange: (order: OrderView) => void;
  /** Path of the current page, to return to after a fresh sign-in. */
  path: string;
  /** Sends a message to the agent on behalf of the user. */
  onReply?: (text: string) => void;
  /** Links to the order's own page. */
  withLink?: boolean;
}

/** The reason why no standing approval paid the order. Renders nothing if none was tried. */
function StandingNote({ failure }: { failure: OrderView['standingFailure'] }): ReactNode {
  const t = useTranslations('payments.standingFailure');
  return failure ? <Alert title={t('title')}>{t(`reason.${failure}`)}</Alert> : null;
}

/** An order's state and actions. A disabled button states the reason. */
export function PayOrder({ order, onChange, path, onReply, withLink = false }: PayOrderProps): ReactNode {
  const t = useTranslations('payments.payOrder');
  const formatMoney = useFormatMoney();
  const [open, setOpen] = useOpenAfterSignIn(order);
  const [asked, setAsked] = useState(false);
  const outcome = useRef<HTMLParagraphElement>(null);
  const reason = useId();
  const total = order.offer ? formatMoney(order.offer.total) : '';
  const phase = phaseOf(order);
  const expiresAt = Date.parse(order.offer?.expiresAt ?? '') || Number.POSITIVE_INFINITY;
  const now = useCountdown(phase === 'open' && Number.isFinite(expiresAt) ? expiresAt : 0);
  const late = phase === 'open' && now !== null && now >= expiresAt;
  const page = hostedPageOf(order);
  const decline = useDecline(order.id, (declined) => {
    onChange(declined);
    outcome.current?.focus({ preventScroll: true });
  });
  const ask =
    onReply && !asked
      ? (text: 'newOfferPlease' | 'otherOfferPlease') => {
          onReply(t(text));
          setAsked(true);
        }
      : undefined;

  const close = useCallback(() => {
    setOpen(false);
    // If the button that opened the dialog no longer exists, the result receives the focus.
    setTimeout(() => {
      if (document.activeElement === document.body) outcome.current?.focus({ preventScroll: true });
    }, 50);
  }, [setOpen]);

  return (
    <div className="space-y-2 border-t border-line pt-3 print:hidden">
      {phase === 'open' ? <StandingNote failure={order.standingFailure} /> : null}
      <div className="flex flex-wrap items-center gap-2">
        {phase === 'open' && !late ? (
          <>
            <Button aria-describedby={reason} onClick={() => setOpen(true)} tone="primary">
              {t('reviewAndPay', { total })}
            </Button>
            <LazyMenu button={{ children: <MoreIcon size={18} />, label: t('more') }} load={loadMenu}>
              {(trigger) => (
                <OfferMenu
                  onAskForOther={ask && (() => ask('otherOfferPlease'))}
                  onDecline={decline}
                  trigger={trigger}
                />
              )}
            </LazyMenu>
          </>
        ) : null}
        {phase === 'refused' || late ? (
          <Button aria-describedby={reason} disabled tone="primary">
            {t('pay', { total })}
          </Button>
        ) : null}
        {page ? (
          <a className="text-link font-medium" href={page}>
            {t('goToPage')}
          </a>
        ) : null}
        {withLink && (phase === 'paid' || phase === 'processing' || phase === 'ended') ? (
          <LinkButton href={orderPath(order.id)} size="sm">
            {t(phase === 'paid' ? 'seeReceipt' : 'seeOrder')}
          </LinkButton>
        ) : null}
        {ask && (late || phase === 'ended' || order.state === 'expired') ? (
          <Button onClick={() => ask('newOfferPlease')} tone="quiet">
            {t('askForNewOffer')}
          </Button>
        ) : null}
      </div>
      <p className="text-xs text-muted outline-none" id={reason} ref={outcome} role="status" tabIndex={-1}>
        {asked ? t('asked') : <Explanation late={late} order={order} />}
      </p>
      {open ? (
        <Suspense fallback={null}>
          <ReviewDialog onChange={onChange} onClose={close} order={order} returnTo={`${path}?pay=${order.id}`} />
        </Suspense>
      ) : null}
    </div>
  );
}

function Explanation({ order, late }: { order: OrderView; late: boolean }): ReactNode {
  const t = useTranslations('payments.payOrder');
  const tReason = useTranslations('payments.orderReason');
  const formatMoney = useFormatMoney();
  if (late) return t('late');
  const phase = phaseOf(order);
  if (phase === 'open') return t('open');
  if (phase !== 'paid' || !order.payment || !order.offer) return reasonOf(order, tReason);
  const { captured, refunded, test } = order.payment;
  const { currency } = order.offer.total;
  const paid = t(test ? 'paidTest' : 'paid', { amount: formatMoney({ currency, minor: captured }) });
  return refunded > 0 ? t('refunded', { paid, amount: formatMoney({ currency, minor: refunded }) }) : paid;
}

/** Opens the dialog once automatically when the user returns from sign-in for this order. */
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

/** Returns a function that declines an offer without opening the review. */
function useDecline(orderId: string, onDeclined: (order: OrderView) => void): () => void {
  return () => {
    void callApi('POST', `/api/orders/${encodeURIComponent(orderId)}/decline`, {}).then((response) => {
      if (response.ok) onDeclined(response.body as OrderView);
      else toast({ tone: 'danger', text: response.problem.title });
    });
  };
}
