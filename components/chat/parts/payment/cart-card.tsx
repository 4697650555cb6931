'use client';

import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useContext, useEffect, useState } from 'react';
import type { OrderView } from '@/lib/payments/schema';
import { isObject, type JsonValue, nonEmptyString } from '../../../../lib/protocol/json';
import { PayOrder } from '../../../payments/checkout/pay-order';
import { TermsOfAcceptance } from '../../../payments/offers/acceptance';
import { OfferExpiry, useCountdown } from '../../../payments/offers/offer-expiry';
import { OfferChecks, OfferLines } from '../../../payments/offers/offer-lines';
import { isDeclined, isUnsigned, OrderBadge, phaseOf, reasonOf } from '../../../payments/offers/order-phase';
import { type PartRef, useOpenOrder, useOrderAt } from '../../../payments/offers/use-orders';
import { keepPath, signInPath } from '../../../routes';
import { Button, LinkButton } from '../../../ui/controls/button';
import { Skeleton } from '../../../ui/controls/loading';
import { Alert } from '../../../ui/display/alert';
import { CartIcon } from '../../../ui/display/icons';
import { UntrustedText } from '../../../ui/display/untrusted-text';
import { GuestConversationContext } from '../../guests/guest';
import { CardFrame } from '../card-frame';
import { JsonCard } from '../json-card';

export interface ChainCartProps {
  orderId: string;
  /** The agent that offered the cart. */
  agentName: string;
  /** Sends a message to the agent on behalf of the user. */
  onReply: (text: string) => void;
}

/** The cart of a delegated task, with the same actions as the cart of one of the user's own tasks. */
export function ChainCart({ orderId, agentName, onReply }: ChainCartProps): ReactNode {
  const t = useTranslations('chat.chain');
  const path = usePathname();
  const { order, update } = useOpenOrder(orderId);
  if (!order) return <p className="text-muted">{t('loading')}</p>;
  return <OrderCard agentName={agentName} onChange={update} onReply={onReply} order={order} path={path} />;
}

export interface CartCardProps {
  /** The agent's data. Displayed if there is no order for it, and never used to read amounts. */
  value: JsonValue;
  partRef: PartRef;
  agentName: string;
  onReply?: (text: string) => void;
}

/** A cart offered by an agent, as Parley's server parsed and verified it; for a guest, the way to pay it. */
export function CartCard(props: CartCardProps): ReactNode {
  const guestConversation = useContext(GuestConversationContext);
  if (guestConversation === null) return <VerifiedCart {...props} />;
  return <GuestCart agentName={props.agentName} conversationId={guestConversation} />;
}

function GuestCart({ agentName, conversationId }: { agentName: string; conversationId: string }): ReactNode {
  const t = useTranslations('parts.guestCart');
  return (
    <CardFrame className="space-y-3 p-4" label={t('label')}>
      <div className="flex gap-2.5">
        <CartIcon className="mt-0.5 shrink-0 text-accent" size={20} />
        <div className="min-w-0">
          <p className="text-base leading-snug font-semibold">
            {t.rich('title', { agent: () => <bdi>{agentName}</bdi> })}
          </p>
          <p className="mt-1 text-muted">{t('text')}</p>
        </div>
      </div>
      <LinkButton href={signInPath(keepPath(conversationId), 'signUp')} tone="primary">
        {t('keep')}
      </LinkButton>
    </CardFrame>
  );
}

function VerifiedCart({ value, partRef, agentName, onReply }: CartCardProps): ReactNode {
  const t = useTranslations('parts.cartCard');
  const path = usePathname();
  const { order, problem, update, retry } = useOrderAt(partRef, cartIdOf(value));
  const timedOut = useTimedOut(order === null);
  if (problem !== null) {
    return (
      <Alert title={t('notLoaded')} tone="danger">
        <p>{problem}</p>
        <Button className="mt-2" onClick={retry} size="sm">
          {t('tryAgain')}
        </Button>
      </Alert>
    );
  }
  if (order) return <OrderCard agentName={agentName} onChange={update} onReply={onReply} order={order} path={path} />;
  if (order === undefined || !timedOut) return <CartSkeleton />;
  return (
    <div className="space-y-2">
      <Alert title={t('noOffer')} tone="warn">
        {t('asSent')}
      </Alert>
      <JsonCard value={value} />
    </div>
  );
}

/** Returns the agent's id of its cart. The same cart displayed twice is one order. */
function cartIdOf(value: JsonValue): string | null {
  if (!isObject(value)) return null;
  const contents = isObject(value.contents) ? value.contents : value;
  return nonEmptyString(contents.id) ?? nonEmptyString(contents.cart_id) ?? null;
}

function CartSkeleton(): ReactNode {
  const t = useTranslations('parts.cartCard');
  return (
    <CardFrame className="space-y-3 p-4" label={t('label')}>
      <div role="status">
        <Skeleton className="mb-3 h-5 w-1/2" />
        <Skeleton className="h-24 w-full" />
        <span className="sr-only">{t('checking')}</span>
      </div>
    </CardFrame>
  );
}

/** Timeout for a cart's order, milliseconds. The cart is checked when its artifact is complete. */
const timeoutMs = 15_000;

function useTimedOut(waiting: boolean): boolean {
  const [timedOut, setTimedOut] = useState(false);
  useEffect(() => {
    if (!waiting) return;
    const timer = setTimeout(() => setTimedOut(true), timeoutMs);
    return () => clearTimeout(timer);
  }, [waiting]);
  return waiting && timedOut;
}

export interface OrderCardProps {
  order: OrderView;
  agentName: string;
  /** Path of the card's page. */
  path: string;
  onChange: (order: OrderView) => void;
  onReply?: (text: string) => void;
}

/** Merchant and agent, lines, total, expiry, checks, and actions. */
export function OrderCard({ order, agentName, ...actions }: OrderCardProps): ReactNode {
  const t = useTranslations('parts.cartCard');
  const tReason = useTranslations('payments.orderReason');
  const { offer, checks, state } = order;
  const refused = phaseOf(order) === 'refused' && !isDeclined(order);
  return (
    <CardFrame label={t('label')}>
      <div className="space-y-3 p-4">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5">
          <div className="flex min-w-0 gap-2.5">
            <CartIcon className="mt-0.5 shrink-0 text-accent" size={20} />
            <div className="min-w-0 [overflow-wrap:anywhere]">
              <p className="text-base leading-snug font-semibold">
                {offer?.merchantName ? <UntrustedText text={offer.merchantName} /> : t('noMerchant')}
              </p>
              <p className="text-xs text-muted">
                {t.rich('offeredBy', { agent: () => <UntrustedText text={agentName} /> })}
              </p>
            </div>
          </div>
          <OrderBadge order={order} />
        </div>
        {refused ? (
          <Alert title={t(refusalOf(order))} tone={state === 'rejected' ? 'danger' : 'warn'}>
            <UntrustedText text={reasonOf(order, tReason) ?? ''} />
          </Alert>
        ) : null}
        {offer ? <OfferLines offer={offer} /> : null}
        {offer?.acceptance ? <TermsOfAcceptance acceptance={order.acceptance} terms={offer.acceptance} /> : null}
        <Expiry order={order} />
        {offer && offer.address.length > 0 ? (
          <p className="text-xs text-muted [overflow-wrap:anywhere]">
            {t.rich('goesTo', { address: () => <UntrustedText text={offer.address.join(', ')} /> })}
          </p>
        ) : null}
        <OfferChecks checks={checks} />
        <PayOrder order={order} withLink {...actions} />
      </div>
    </CardFrame>
  );
}

function Expiry({ order }: { order: OrderView }): ReactNode {
  const end = Date.parse(order.offer?.expiresAt ?? '');
  const now = useCountdown(Number.isNaN(end) ? 0 : end);
  return phaseOf(order) === 'open' && !Number.isNaN(end) ? <OfferExpiry expiresAt={end} now={now} /> : null;
}

function refusalOf(order: OrderView): 'unreadable' | 'unsigned' | 'notValid' | 'over' {
  if (!order.offer) return 'unreadable';
  if (isUnsigned(order)) return 'unsigned';
  return order.state === 'rejected' ? 'notValid' : 'over';
}
