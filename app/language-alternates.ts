import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { localeHeader, localeParameter, offeredLanguages } from '@/lib/texts/languages';

/**
 * Returns the canonical URL of a public page and its URLs in each of its languages (`hreflang`), by default all that
 * readers can choose. The canonical URL contains the language if the URL of the request does and the page has it.
 */
export async function languageAlternates(
  path: string,
  locales: string[] = offeredLanguages.map(({ locale }) => locale),
): Promise<NonNullable<Metadata['alternates']>> {
  const selected = (await headers()).get(localeHeader);
  if (locales.length < 2) return { canonical: path };
  const inLanguage = (locale: string): string => `${path}${path.includes('?') ? '&' : '?'}${localeParameter}=${locale}`;
  const languages = Object.fromEntries(locales.map((locale) => [locale, inLanguage(locale)]));
  const canonical = selected && locales.includes(selected) ? inLanguage(selected) : path;
  return { canonical, languages: { ...languages, 'x-default': path } };
}
