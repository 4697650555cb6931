import { NextIntlClientProvider } from 'next-intl';
import type { ReactElement } from 'react';
import { texts } from '@/components/texts/en';

/** A component with the English texts of the pages around it, as a browser draws it. */
export function withTexts(element: ReactElement): ReactElement {
  return (
    <NextIntlClientProvider locale="en" messages={texts} timeZone="UTC">
      {element}
    </NextIntlClientProvider>
  );
}
