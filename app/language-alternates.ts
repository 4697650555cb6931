import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { localeHeader, localeParameter, offeredLanguages } from '@/components/texts/languages';

/**
 * Returns the canonical URL of a public page and its URLs in each language (`hreflang`). The canonical URL contains the
 * language if the URL of the request does.
 */
export async function languageAlternates(path: string): Promise<NonNullable<Metadata['alternates']>> {
  const selected = (await headers()).get(localeHeader);
  const inLanguage = (locale: string): string => `${path}${path.includes('?') ? '&' : '?'}${localeParameter}=${locale}`;
  const languages = Object.fromEntries(offeredLanguages.map(({ locale }) => [locale, inLanguage(locale)]));
  return { canonical: selected ? inLanguage(selected) : path, languages: { ...languages, 'x-default': path } };
}
