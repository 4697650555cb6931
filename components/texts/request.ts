import { cookies, headers } from 'next/headers';
import { getRequestConfig } from 'next-intl/server';
import { localeCookie, localeHeader, localeOf, regionalLocale } from '../../lib/texts/languages';
import { textsOf } from './locale';
import { timeZoneCookie, timeZoneOf } from './time-zone';

/** Returns the language, texts, time and time zone of the rendered page. next-intl calls this once per request. */
export default getRequestConfig(async () => {
  const [jar, sent] = await Promise.all([cookies(), headers()]);
  const acceptLanguage = sent.get('accept-language');
  const locale = localeOf(sent.get(localeHeader) ?? jar.get(localeCookie)?.value, acceptLanguage);
  return {
    locale: regionalLocale(locale, acceptLanguage),
    messages: await textsOf(locale),
    timeZone: timeZoneOf(jar.get(timeZoneCookie)?.value),
    now: new Date(),
  };
});
