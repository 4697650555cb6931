import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { routes } from '../../routes';
import { buttonClass } from '../../ui/controls/button';
import { CompareBar } from './compare-bar';
import { compareForm } from './compare-url';

/** A list of agents from which some can be chosen for comparison. */
export function CompareList({ children }: { children: ReactNode }): ReactNode {
  const t = useTranslations('market.compareList');
  return (
    <>
      {children}
      <form action={routes.compare} id={compareForm}>
        <noscript>
          <button className={buttonClass({})} type="submit">
            {t('submit')}
          </button>
        </noscript>
      </form>
      <CompareBar />
    </>
  );
}
