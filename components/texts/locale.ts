/** The languages of the pages. `en-XB` is no language: English that is longer, accented and read from right to left, for tests. */
export const locales = ['en', 'en-XB'] as const;

export type Locale = (typeof locales)[number];

/** Where a browser keeps the language it asks for. */
export const localeCookie = 'parley-locale';

/** The language a cookie asks for; whatever is unknown is English. */
export function localeOf(value: string | undefined): Locale {
  return locales.find((locale) => locale === value) ?? 'en';
}

/** Which way a language is read. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  return locale === 'en-XB' ? 'rtl' : 'ltr';
}
