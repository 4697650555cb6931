import { NextIntlClientProvider } from 'next-intl';
import type { ReactElement } from 'react';
import { texts } from '@/lib/texts/en';

/** Renders a component within the English messages. */
export function withTexts(element: ReactElement): ReactElement {
  return (
    <NextIntlClientProvider locale="en" messages={texts} timeZone="UTC">
      {element}
    </NextIntlClientProvider>
  );
}
