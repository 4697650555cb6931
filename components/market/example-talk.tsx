import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { AgentMark } from '../ui/display/agent-mark';
import { TalkBubble } from './talk-bubble';

const cart = [
  { item: 'pizza', price: '€10.50' },
  { item: 'delivery', price: '€2.50' },
] as const;

/** A sample conversation, framed like the signal flag P: a blue border around a white field. */
export function ExampleTalk(): ReactNode {
  const t = useTranslations('market.exampleTalk');
  return (
    <figure className="mx-auto w-full max-w-md lg:max-w-none">
      <div className="bg-flag-blue p-5 sm:p-9">
        <div className="bg-surface p-5 sm:p-6">
          <div className="flex items-center gap-3 border-b border-line pb-4">
            <AgentMark size={36} slug="pizzeria" />
            <p className="leading-tight font-semibold">
              {t('agent')}
              <span className="block text-xs font-normal text-muted">{t('what')}</span>
            </p>
          </div>
          <div className="mt-4 space-y-2.5 text-sm">
            <TalkBubble from="user" speaker={t('who.you')}>
              {t('wish')}
            </TalkBubble>
            <TalkBubble from="agent" speaker={t('who.agent')}>
              {t('question')}
            </TalkBubble>
            <TalkBubble from="user" speaker={t('who.you')}>
              {t('address')}
            </TalkBubble>
            <ExampleCart />
          </div>
        </div>
      </div>
      <figcaption className="mt-3 text-sm text-muted">{t('caption')}</figcaption>
    </figure>
  );
}

function ExampleCart(): ReactNode {
  const t = useTranslations('market.exampleTalk');
  return (
    <div className="rounded-lg border border-line-strong p-3.5">
      <p className="text-xs text-muted">{t('cartFrom', { agent: t('agent') })}</p>
      <dl className="mt-2 space-y-1 tabular-nums">
        {cart.map(({ item, price }) => (
          <div className="flex justify-between gap-4" key={item}>
            <dt>{t(`cart.${item}`)}</dt>
            <dd>{price}</dd>
          </div>
        ))}
        <div className="flex justify-between gap-4 border-t border-line pt-1.5 font-semibold">
          <dt>{t('total')}</dt>
          <dd>€13.00</dd>
        </div>
      </dl>
    </div>
  );
}
