'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../../ui/controls/button';
import { AgentMark } from '../../ui/display/agent-mark';
import { TalkBubble } from '../listing/talk-bubble';

/** The messages of the example, in order, and the time to read each before the next appears, milliseconds. */
const steps = [
  { from: 'user', text: 'wish', readMs: 1_600 },
  { from: 'agent', text: 'question', readMs: 2_400 },
  { from: 'user', text: 'address', readMs: 1_800 },
  { from: 'agent', text: 'cart', readMs: 4_000 },
] as const;

/** The cart that the pizzeria offers for this conversation, and its total. */
export const exampleCart = [
  { item: 'pizza', price: '€10.50' },
  { item: 'delivery', price: '€2.50' },
] as const;
export const exampleTotal = '€13.00';

/**
 * A recorded conversation with the pizzeria of the demo, at reading speed. It is complete without JavaScript and for
 * visitors who prefer reduced motion. Hidden messages keep their space, so that nothing on the page moves.
 */
export function ExampleTalk(): ReactNode {
  const t = useTranslations('market.exampleTalk');
  const { shown, isPlaying, toggle } = usePlayback();
  return (
    <figure className="mx-auto w-full max-w-md lg:max-w-none">
      <div className="bg-flag-blue p-2 sm:p-9">
        <div className="bg-surface p-3 sm:p-6">
          <div className="flex items-center gap-3 border-b border-line pb-2 sm:pb-3">
            <AgentMark size={36} slug="pizzeria" />
            <p className="flex-1 leading-tight font-semibold">
              {t('agent')}
              <span className="block text-xs font-normal text-muted">{t('what')}</span>
            </p>
            <Button onClick={toggle} size="sm" tone="quiet">
              {t(isPlaying ? 'pause' : 'play')}
            </Button>
          </div>
          <ol className="mt-3 space-y-2 text-sm sm:mt-4 sm:space-y-2.5">
            {steps.map(({ from, text }, index) => (
              <li
                className="transition-opacity duration-300 data-[hidden=true]:opacity-0"
                data-hidden={index >= shown}
                key={text}
              >
                {text === 'cart' ? (
                  <ExampleCart />
                ) : (
                  <TalkBubble from={from} speaker={t(`who.${from === 'user' ? 'you' : 'agent'}`)}>
                    {t(text)}
                  </TalkBubble>
                )}
              </li>
            ))}
          </ol>
        </div>
      </div>
      <figcaption className="mt-3 text-sm text-muted max-sm:sr-only">{t('caption')}</figcaption>
    </figure>
  );
}

/** Plays the steps once, unless the visitor prefers reduced motion; at the end, play starts again. */
function usePlayback(): { shown: number; isPlaying: boolean; toggle: () => void } {
  const [shown, setShown] = useState<number>(steps.length);
  const [isPlaying, setIsPlaying] = useState(false);

  useEffect(() => {
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    setShown(1);
    setIsPlaying(true);
  }, []);

  useEffect(() => {
    if (!isPlaying) return;
    if (shown >= steps.length) return setIsPlaying(false);
    const timer = setTimeout(() => setShown(shown + 1), steps[shown - 1]?.readMs ?? 0);
    return () => clearTimeout(timer);
  }, [isPlaying, shown]);

  function toggle(): void {
    if (!isPlaying && shown >= steps.length) setShown(1);
    setIsPlaying(!isPlaying);
  }

  return { shown, isPlaying, toggle };
}

function ExampleCart(): ReactNode {
  const t = useTranslations('market.exampleTalk');
  return (
    <div className="rounded-lg border border-line-strong p-3">
      <p className="text-xs text-muted">{t('cartFrom', { agent: t('agent') })}</p>
      <dl className="mt-2 space-y-1 tabular-nums">
        {exampleCart.map(({ item, price }) => (
          <div className="flex justify-between gap-4" key={item}>
            <dt>{t(`cart.${item}`)}</dt>
            <dd>{price}</dd>
          </div>
        ))}
        <div className="flex justify-between gap-4 border-t border-line pt-1.5 font-semibold">
          <dt>{t('total')}</dt>
          <dd>{exampleTotal}</dd>
        </div>
      </dl>
    </div>
  );
}
