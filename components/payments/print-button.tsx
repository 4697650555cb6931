'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button } from '../ui/controls/button';

/** Prints the page; a print style hides the rest. */
export function PrintButton(): ReactNode {
  const t = useTranslations('payments.printButton');
  return (
    <Button className="print:hidden" onClick={() => window.print()}>
      {t('print')}
    </Button>
  );
}
