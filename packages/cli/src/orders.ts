import { formatMoney, type Money } from './money.js';
import type { Session } from './session.js';
import { plainLine } from './terminal.js';

/** The used members of an order, from `GET /api/orders`. */
export interface Order {
  id: string;
  state: string;
  code: string | null;
  reason: string | null;
  agent: { slug: string; name: string };
  offer: {
    merchantName: string | null;
    lines: { label: string; minor: number; quantity: number }[];
    total: Money;
    expiresAt: string | null;
    address: string[];
  } | null;
  payment: { method: string; test: boolean; captured: number; refunded: number } | null;
  redirectUrl: string | null;
  createdAt: string;
  [member: string]: unknown;
}

export interface OrderPage {
  items: Order[];
  nextCursor: string | null;
}

/** State of an order from its payer's point of view. */
export type PayerState = 'open' | 'moving' | 'elsewhere' | 'paid' | 'over';

const payerStates: Record<string, PayerState> = {
  verified: 'open',
  awaiting_approval: 'open',
  approved: 'moving',
  payment_pending: 'moving',
  authorized: 'moving',
  mandate_delivered: 'moving',
  merchant_confirmed: 'moving',
  action_required: 'elsewhere',
  captured: 'paid',
  partially_refunded: 'paid',
  refunded: 'paid',
};

export function payerStateOf({ state }: Pick<Order, 'state'>): PayerState {
  return payerStates[state] ?? 'over';
}

export async function getOrder(session: Session, id: string): Promise<Order> {
  const { order } = await session.call<{ order: Order }>(orderPath(id));
  return order;
}

export function listOrders(session: Session, filter: Record<string, string>): Promise<OrderPage> {
  return session.call<OrderPage>(`/api/orders?${new URLSearchParams(filter)}`);
}

export function orderPath(id: string, verb?: 'review' | 'approve' | 'decline'): string {
  return `/api/orders/${encodeURIComponent(id)}${verb ? `/${verb}` : ''}`;
}

/** Returns an order's web page. */
export function orderUrl({ origin }: Session, { id }: Order): string {
  return `${origin}/orders/${encodeURIComponent(id)}`;
}

/** Merchant, lines and total as text. */
export function cartLines({ agent, offer }: Order): string[] {
  if (!offer) return [`Unreadable cart from ${plainLine(agent.name)}`];
  const { merchantName, lines, total, address } = offer;
  return [
    `${plainLine(merchantName ?? 'Unnamed merchant')}, offered by ${plainLine(agent.name)}`,
    ...lines.map(({ label, quantity, minor }) => {
      const count = quantity === 1 ? '' : `${quantity} x `;
      return `  ${count}${plainLine(label)}  ${formatMoney({ currency: total.currency, minor })}`;
    }),
    ...(address.length > 0 ? [`  to ${plainLine(address.join(', '))}`] : []),
    `  Total  ${formatMoney(total)}`,
  ];
}
