import { NextIntlClientProvider } from 'next-intl';
import { getMessages } from 'next-intl/server';
import type { ReactNode } from 'react';
import type { Area } from './texts';

/** What every page needs in the browser. */
const everywhere: Area[] = ['shell', 'ui'];

/** Hands the texts of these areas to the components below that run in the browser; the server has them all. */
export async function AreaTexts({ of, children }: { of: Area[]; children: ReactNode }): Promise<ReactNode> {
  const texts = await getMessages();
  const needed = Object.fromEntries([...everywhere, ...of].map((area) => [area, texts[area]]));
  return <NextIntlClientProvider messages={needed}>{children}</NextIntlClientProvider>;
}
