import { cookies } from 'next/headers';
import { getRequestConfig } from 'next-intl/server';
import { type Locale, localeCookie, localeOf } from './locale';
import type { Texts } from './texts';

/** The language and texts of the page that is being drawn; next-intl asks once for each request. */
export default getRequestConfig(async () => {
  const locale = localeOf((await cookies()).get(localeCookie)?.value);
  return { locale, messages: await textsOf(locale), timeZone: 'UTC' };
});

async function textsOf(locale: Locale): Promise<Texts> {
  const { texts } = locale === 'en' ? await import('./en') : await import('./en-xb');
  return texts;
}
