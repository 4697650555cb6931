import { cookies } from 'next/headers';
import { getRequestConfig } from 'next-intl/server';
import { type Locale, localeCookie, localeOf } from './locale';
import type { Texts } from './texts';

/** The language and texts of the page that is being drawn; next-intl asks once for each request. */
const requestConfig = getRequestConfig(async () => {
  const locale = localeOf((await cookies()).get(localeCookie)?.value);
  return { locale, messages: await textsOf(locale), timeZone: 'UTC' };
});

// next-intl takes the default export.
// biome-ignore lint/style/noDefaultExport: see above
export default requestConfig;

async function textsOf(locale: Locale): Promise<Texts> {
  const { texts } = locale === 'en' ? await import('./en') : await import('./en-xb');
  return texts;
}
