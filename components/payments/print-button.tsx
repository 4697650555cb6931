'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button } from '../ui/button';

/** Prints the page; what is no part of the paper is hidden by its own style. */
export function PrintButton(): ReactNode {
  const t = useTranslations('payments.printButton');
  return (
    <Button className="print:hidden" onClick={() => window.print()}>
      {t('print')}
    </Button>
  );
}
