import { cookies, headers } from 'next/headers';
import { getRequestConfig } from 'next-intl/server';
import { type Locale, localeCookie, localeOf } from './locale';
import { regionalLocale, timeZoneCookie, timeZoneOf } from './reader';
import type { Texts } from './texts';

/** The language, texts, time and time zone of the page that is rendered; next-intl asks once per request. */
export default getRequestConfig(async () => {
  const [jar, sent] = await Promise.all([cookies(), headers()]);
  const locale = localeOf(jar.get(localeCookie)?.value);
  return {
    locale: regionalLocale(locale, sent.get('accept-language')),
    messages: await textsOf(locale),
    timeZone: timeZoneOf(jar.get(timeZoneCookie)?.value),
    now: new Date(),
  };
});

async function textsOf(locale: Locale): Promise<Texts> {
  const { texts } = locale === 'en' ? await import('./en') : await import('./en-xb');
  return texts;
}
