import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { type Signal, SignalFlag } from './signal-flag';

const signals: readonly Signal[] = ['G', 'K', 'C'];

/** The three steps of using Parley, with signal flags. */
export function HomeSteps(): ReactNode {
  const t = useTranslations('market.homeSteps');
  return (
    <section aria-labelledby="how" className="border-y border-line bg-surface">
      <div className="page-x py-16">
        <h2 className="text-2xl font-semibold" id="how">
          {t('title')}
        </h2>
        <ol className="mt-8 grid grid-cols-1 gap-10 md:grid-cols-3">
          {signals.map((signal, index) => (
            <li key={signal}>
              <SignalFlag className="border border-line" signal={signal} />
              <h3 className="mt-4 text-xl font-semibold">
                <span aria-hidden="true" className="me-2 text-muted tabular-nums">
                  {index + 1}
                </span>
                {t(`${signal}.title`)}
              </h3>
              <p className="mt-2 text-muted">{t(`${signal}.text`)}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
