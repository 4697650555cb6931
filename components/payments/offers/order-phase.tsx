import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { OrderView } from '@/lib/payments/schema';
import type { OrderState } from '@/lib/payments/schema-states';
import type { Texts } from '../../../lib/texts/en';
import { Badge } from '../../ui/display/badge';
import { ShieldIcon } from '../../ui/display/icons';

/** An order's state as a badge. */
export function OrderBadge({ order }: { order: Pick<OrderView, 'state' | 'code'> }): ReactNode {
  const t = useTranslations('payments.orderBadge');
  const { label, tone } = stateStyle(order);
  return (
    <Badge icon={phaseOf(order) === 'open' ? <ShieldIcon size={14} /> : undefined} tone={tone}>
      {t(`label.${label}`)}
    </Badge>
  );
}

/** An order's state within a sentence. */
export function OrderWord({ order }: { order: Pick<OrderView, 'state' | 'code'> }): ReactNode {
  const t = useTranslations('payments.orderBadge');
  return t(`inSentence.${stateStyle(order).label}`);
}

/** Marks amounts that are not real money. */
export function TestBadge(): ReactNode {
  const t = useTranslations('payments.orderBadge');
  return <Badge tone="accent">{t('test')}</Badge>;
}

/**
 * The phase of an order, by the user's options: `refused` cannot be paid, `open` can, `ended` failed after the
 * approval.
 */
export type OrderPhase = 'refused' | 'open' | 'processing' | 'action' | 'paid' | 'ended';

/** A short state label: keys of `payments.orderBadge.label`. */
type OrderLabel = keyof Texts['payments']['orderBadge']['label'];

interface StateStyle {
  phase: OrderPhase;
  label: OrderLabel;
  tone: 'neutral' | 'accent' | 'good' | 'warn' | 'danger';
}

const styles: Record<OrderState, StateStyle> = {
  rejected: { phase: 'refused', label: 'notValid', tone: 'danger' },
  verified: { phase: 'open', label: 'verified', tone: 'good' },
  awaiting_approval: { phase: 'open', label: 'verified', tone: 'good' },
  superseded: { phase: 'refused', label: 'replaced', tone: 'neutral' },
  expired: { phase: 'refused', label: 'expired', tone: 'warn' },
  canceled: { phase: 'ended', label: 'calledOff', tone: 'danger' },
  approved: { phase: 'processing', label: 'processing', tone: 'accent' },
  payment_pending: { phase: 'processing', label: 'processing', tone: 'accent' },
  action_required: { phase: 'action', label: 'actionNeeded', tone: 'warn' },
  declined: { phase: 'ended', label: 'paymentDeclined', tone: 'danger' },
  authorized: { phase: 'processing', label: 'processing', tone: 'accent' },
  mandate_delivered: { phase: 'processing', label: 'processing', tone: 'accent' },
  merchant_rejected: { phase: 'ended', label: 'refused', tone: 'danger' },
  delivery_timeout: { phase: 'ended', label: 'noAnswer', tone: 'danger' },
  merchant_confirmed: { phase: 'processing', label: 'processing', tone: 'accent' },
  captured: { phase: 'paid', label: 'paid', tone: 'good' },
  partially_refunded: { phase: 'paid', label: 'partlyRefunded', tone: 'neutral' },
  refunded: { phase: 'paid', label: 'refunded', tone: 'neutral' },
};

export function phaseOf(order: Pick<OrderView, 'state' | 'code'>): OrderPhase {
  return isVoid(order) ? 'refused' : styles[order.state].phase;
}

/** Returns true for an offer the user declined. */
export function isDeclined({ state, code }: Pick<OrderView, 'state' | 'code'>): boolean {
  return state === 'canceled' && code === 'declined_by_buyer';
}

const voidCodes: ReadonlySet<string | null> = new Set([
  'declined_by_buyer',
  'task_canceled',
  'task_failed',
  'task_rejected',
  'task_completed',
  'seller_unavailable',
]);

/** Returns true for an offer that ended before it was approved. */
function isVoid({ state, code }: Pick<OrderView, 'state' | 'code'>): boolean {
  return state === 'canceled' && voidCodes.has(code);
}

/** Returns the state's badge tone and label. */
function stateStyle({ state, code }: Pick<OrderView, 'state' | 'code'>): Pick<StateStyle, 'label' | 'tone'> {
  if (isUnsigned({ state, code })) return { label: 'unsigned', tone: 'warn' };
  if (isDeclined({ state, code })) return { label: 'declined', tone: 'neutral' };
  if (isVoid({ state, code })) return { label: 'void', tone: 'neutral' };
  return styles[state];
}

/** Returns true for an unsigned cart, for which UCP has a separate code. */
export function isUnsigned({ state, code }: Pick<OrderView, 'state' | 'code'>): boolean {
  return state === 'rejected' && (code === 'missing_signature' || code === 'merchant_authorization_missing');
}

const reasons: Partial<Record<OrderState, keyof Texts['payments']['orderReason']>> = {
  rejected: 'notValid',
  superseded: 'replaced',
  expired: 'expired',
  canceled: 'calledOff',
  approved: 'preparing',
  payment_pending: 'preparing',
  action_required: 'actionNeeded',
  declined: 'paymentDeclined',
  authorized: 'tellingMerchant',
  mandate_delivered: 'merchantTold',
  merchant_rejected: 'refused',
  delivery_timeout: 'noAnswer',
  merchant_confirmed: 'collecting',
};

type ReasonTexts = ReturnType<typeof useTranslations<'payments.orderReason'>>;

/** Returns the explanation of the state in a sentence; null if none is needed. */
export function reasonOf({ state, reason }: Pick<OrderView, 'state' | 'reason'>, t: ReasonTexts): string | null {
  const key = reasons[state];
  return reason ?? (key ? t(key) : null);
}
