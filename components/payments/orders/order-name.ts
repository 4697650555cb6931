import type { useTranslations } from 'next-intl';
import type { OfferView, OrderView } from '@/lib/payments/schema';

type NameTexts = ReturnType<typeof useTranslations<'payments.orderName'>>;

/**
 * Returns the name of an order by what was offered: its first item and the number of further ones. An offer without a
 * named item is named by its merchant. Items are merchants' texts, so the name is untrusted plain text.
 */
export function orderNameOf({ offer, agent }: Pick<OrderView, 'offer' | 'agent'>, t: NameTexts): string {
  if (!offer) return t('unreadable', { name: agent.name });
  const items = offer.lines.filter(({ kind }) => kind === 'item');
  const named = items.find(({ label }) => label.trim() !== '');
  if (!named) return t('from', { name: merchantOf(offer) ?? agent.name });
  const single = named.label.replace(/^1 ?[×x] /, '');
  const first = named.quantity === 1 ? single : t('several', { quantity: named.quantity, item: named.label });
  return items.length === 1 ? first : t('andMore', { first, count: items.length - 1 });
}

function merchantOf({ merchantName }: OfferView): string | null {
  return merchantName?.trim() || null;
}
