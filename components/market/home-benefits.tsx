import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';

const promises = ['identity', 'nothingLost', 'badges', 'open'] as const;

/** The guarantees for users. */
export function HomeBenefits(): ReactNode {
  const t = useTranslations('market.homePromises');
  return (
    <section aria-labelledby="count-on" className="page-x pt-16">
      <h2 className="text-2xl font-semibold" id="count-on">
        {t('title')}
      </h2>
      <dl className="mt-8 grid gap-x-10 gap-y-8 sm:grid-cols-2 lg:grid-cols-4">
        {promises.map((promise) => (
          <div className="border-t-2 border-ink pt-4" key={promise}>
            <dt className="font-semibold">{t(`${promise}.title`)}</dt>
            <dd className="mt-2 text-sm text-muted">{t(`${promise}.text`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
