'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { ReviewView } from '@/lib/payments/schema-approvals';
import { PasskeyMissing, Reauthenticate } from '../../forms/reauthenticate';
import { Button } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { UntrustedText } from '../../ui/display/untrusted-text';
import { announce } from '../../ui/overlays/announcer';
import { TermsOfAcceptance } from '../offers/acceptance';
import { useFormatMoney } from '../offers/money';
import { OfferExpiry, useCountdown } from '../offers/offer-expiry';
import { OfferLines } from '../offers/offer-lines';
import { MethodChoice } from './method-choice';
import { LimitExceeded, SpendingLeft } from './spending-left';
import type { PayMethod, Payment, PaymentStep } from './use-payment';

interface ReviewFormProps {
  step: PaymentStep & { kind: 'review' };
  payment: Payment;
  returnTo: string;
}

/** The exact terms to approve, the payment method, and the button that states the amount. */
export function ReviewForm({ step, payment, returnTo }: ReviewFormProps): ReactNode {
  const t = useTranslations('payments.reviewForm');
  const formatMoney = useFormatMoney();
  const { review, busy, problem } = step;
  const { order, methods, approval, fee } = review;
  const [method, setMethod] = useState<PayMethod | null>(methods.find(({ enough }) => enough)?.method ?? null);
  const chosen = methods.find((way) => way.method === method);
  const end = Date.parse(order.offer?.expiresAt ?? approval.expires_at);
  const now = useCountdown(end);
  const expired = now !== null && now >= end;
  const total = { currency: approval.currency, minor: approval.amount };
  const hint = useId();
  const blocked = expired || review.spending.exceeded !== null || !mayApprove(review) || !chosen?.enough;
  useTotalAnnounced(review);

  return (
    <div className="space-y-4 text-sm">
      {problem ? (
        <Alert live="assertive" tone="danger">
          {problem}
        </Alert>
      ) : null}
      <OrderParties agent={order.agent.name} issuer={review.payee.issuer} payee={review.payee.name} />
      {order.offer ? <OfferLines offer={order.offer} /> : null}
      {order.offer?.acceptance ? <TermsOfAcceptance terms={order.offer.acceptance} /> : null}
      <div className="space-y-1 text-xs text-muted">
        {fee.minor > 0 ? <p>{t('fee', { fee: formatMoney(fee) })}</p> : null}
        {order.offer && order.offer.address.length > 0 ? (
          <p>{t.rich('goesTo', { address: () => <UntrustedText text={order.offer?.address.join(', ') ?? ''} /> })}</p>
        ) : null}
        <OfferExpiry expiresAt={end} now={now} />
      </div>
      <SpendingLeft review={review} />
      <MethodChoice methods={methods} onChoose={setMethod} selected={method} />
      <div className="space-y-3 border-t border-line pt-4">
        <div id={hint}>
          <PayHint expired={expired} review={review} returnTo={returnTo} withMethod={chosen?.enough === true} />
        </div>
        <div className="flex flex-wrap justify-end gap-2">
          <Button
            disabled={busy !== null && busy !== 'declining'}
            onClick={payment.decline}
            pending={busy === 'declining'}
          >
            {t('decline')}
          </Button>
          <PayButtons
            blocked={blocked}
            busy={busy}
            hint={hint}
            onPay={(withPasskey) => method && payment.approve(method, { withPasskey })}
            review={review}
            total={formatMoney(total)}
          />
        </div>
      </div>
    </div>
  );
}

/**
 * Returns true if the user may approve. A passkey is always sufficient; without one, the sign-in must be recent and the
 * amount within the user's own limit.
 */
function mayApprove({ passkey, passkeyRequired, signInAgain }: ReviewView): boolean {
  return passkey !== null || (!passkeyRequired && !signInAgain);
}

/** Announces the total once when the review opens, so that screen readers read it before the button. */
function useTotalAnnounced({ approval, payee }: ReviewView): void {
  const t = useTranslations('payments.reviewForm');
  const formatMoney = useFormatMoney();
  const announced = useRef(false);
  useEffect(() => {
    if (announced.current) return;
    announced.current = true;
    const total = formatMoney({ currency: approval.currency, minor: approval.amount }, 'name');
    announce(t('announcement', { total, payee: payee.name }));
  }, [approval, payee, t, formatMoney]);
}

interface PayHintProps {
  review: ReviewView;
  expired: boolean;
  withMethod: boolean;
  returnTo: string;
}

/** The reason why the order cannot be paid, or the effect of the button. */
function PayHint({ review, expired, withMethod, returnTo }: PayHintProps): ReactNode {
  const t = useTranslations('payments.reviewForm');
  if (expired) {
    return (
      <Alert live="assertive" title={t('expired')} tone="warn">
        {t('expiredHint')}
      </Alert>
    );
  }
  if (review.spending.exceeded) return <LimitExceeded text={review.spending.exceeded} />;
  if (!review.passkey && review.passkeyRequired) return <PasskeyMissing />;
  if (!mayApprove(review)) return <Reauthenticate returnTo={returnTo} />;
  if (!withMethod) return <p className="text-danger">{t('chooseMethod')}</p>;
  const terms = t('terms');
  return <p className="text-xs text-muted">{review.passkey ? t('termsPasskey', { terms }) : terms}</p>;
}

interface PayButtonsProps {
  review: ReviewView;
  total: string;
  blocked: boolean;
  busy: (PaymentStep & { kind: 'review' })['busy'];
  /** Id of the text that explains the button. */
  hint: string;
  onPay: (withPasskey: boolean) => void;
}

function PayButtons({ review, total, blocked, busy, hint, onPay }: PayButtonsProps): ReactNode {
  const t = useTranslations('payments.reviewForm');
  const { passkey, passkeyRequired, signInAgain } = review;
  const canPay = !blocked && busy !== 'declining';
  return (
    <>
      {passkey && !passkeyRequired && !signInAgain && canPay && busy === null ? (
        <Button onClick={() => onPay(false)} tone="quiet">
          {t('payWithoutPasskey')}
        </Button>
      ) : null}
      <Button
        aria-describedby={hint}
        disabled={!canPay}
        onClick={() => onPay(passkey !== null)}
        pending={busy === 'passkey' || busy === 'paying'}
        tone="primary"
      >
        {busy === 'passkey' ? t('waitingForPasskey') : t('pay', { total })}
      </Button>
    </>
  );
}

interface OrderPartiesProps {
  /** The merchant's name. */
  payee: string;
  /** The identifier of the cart's signer. If it is a website, its host is displayed. */
  issuer: string | null;
  agent: string;
}

/** The payee, and the agent that made the offer. */
function OrderParties({ payee, issuer, agent }: OrderPartiesProps): ReactNode {
  const t = useTranslations('payments.orderParties');
  const host = issuer && URL.canParse(issuer) && issuer.startsWith('https:') ? new URL(issuer).host : null;
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
      <dt className="text-muted">{t('paidTo')}</dt>
      <dd className="font-medium [overflow-wrap:anywhere]">
        <UntrustedText text={payee} />
      </dd>
      <dt className="text-muted">{t('agent')}</dt>
      <dd className="[overflow-wrap:anywhere]">
        <UntrustedText text={agent} />
      </dd>
      {host ? (
        <>
          <dt className="text-muted">{t('signedBy')}</dt>
          <dd className="[overflow-wrap:anywhere]">
            <UntrustedText text={host} />
          </dd>
        </>
      ) : null}
    </dl>
  );
}
