import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useOpenOrder } from '../payments/offers/use-orders';
import { OrderCard } from './parts/cart-card';

export interface ChainCartProps {
  orderId: string;
  /** The agent that offered the cart. */
  agentName: string;
  /** Sends a message to it in the user's name. */
  onReply: (text: string) => void;
}

/** The cart of a delegated task, with the same actions as one of the user's own task. */
export function ChainCart({ orderId, agentName, onReply }: ChainCartProps): ReactNode {
  const t = useTranslations('chat.chain');
  const path = usePathname();
  const { order, update } = useOpenOrder(orderId);
  if (!order) return <p className="text-muted">{t('loading')}</p>;
  return <OrderCard agentName={agentName} onChange={update} onReply={onReply} order={order} path={path} />;
}
