interface Language {
  /** The name of the language in the language itself. */
  name: string;
  direction: 'ltr' | 'rtl';
  /** For tests only. Selected only if the cookie requests it. */
  pseudo?: true;
}

/**
 * The languages of pages, emails and notifications by BCP 47 tag: one line each, and a folder with the texts. `en-XA`
 * and `en-XB` are pseudo-languages: English that is accented and 40 % longer, written from left to right and from right
 * to left.
 */
const languages = {
  en: { name: 'English', direction: 'ltr' },
  de: { name: 'Deutsch', direction: 'ltr' },
  es: { name: 'Español', direction: 'ltr' },
  'en-XA': { name: 'Accented', direction: 'ltr', pseudo: true },
  'en-XB': { name: 'Mirrored', direction: 'rtl', pseudo: true },
} as const satisfies Record<string, Language>;

export type Locale = keyof typeof languages;

/** A language that readers can choose, and in which emails and notifications are sent. */
export type OfferedLocale = {
  [Tag in Locale]: (typeof languages)[Tag] extends { pseudo: true } ? never : Tag;
}[Locale];

/** The cookie with the language that the browser requests. */
export const localeCookie = 'parley-locale';

/** The query parameter that selects a language; also part of the URLs under which search engines find the pages. */
export const localeParameter = 'lang';

/** The header in which the middleware sets the language that the URL of the request selects. */
export const localeHeader = 'x-parley-locale';

const locales = Object.keys(languages) as Locale[];
const offered = locales.filter((locale): locale is OfferedLocale => !('pseudo' in languages[locale]));

/** The languages that readers can choose, with their own names for themselves. */
export const offeredLanguages = offered.map((locale) => ({ locale, name: languages[locale].name }));

/** Returns the language with this tag, if readers can choose it, otherwise undefined. */
export function offeredLocale(tag: string | null): OfferedLocale | undefined {
  return offered.find((locale) => locale === tag);
}

/**
 * Returns the language that the cookie requests, otherwise the first supported one of `Accept-Language`, otherwise
 * English.
 */
export function localeOf(cookie: string | undefined, acceptLanguage: string | null): Locale {
  return requestedLocale(cookie, acceptLanguage) ?? 'en';
}

/** Returns the language in which the sender of a request receives emails; null if it requests none. */
export function mailLocaleOf(cookie: string | undefined, acceptLanguage: string | null): OfferedLocale | null {
  return offeredLocale(requestedLocale(cookie, acceptLanguage) ?? null) ?? null;
}

function requestedLocale(cookie: string | undefined, acceptLanguage: string | null): Locale | undefined {
  const asked = locales.find((locale) => locale === cookie);
  if (asked) return asked;
  for (const tag of tagsOf(acceptLanguage)) {
    const found = offered.find((locale) => tag === locale || tag.startsWith(`${locale}-`));
    if (found) return found;
  }
  return undefined;
}

/**
 * Returns a page's language with the reader's region, for numbers and dates: `en-GB` for a page in English and
 * `Accept-Language: de, en-GB`.
 */
export function regionalLocale(locale: Locale, acceptLanguage: string | null): string {
  const regional = new RegExp(`^${locale}-[A-Z]{2}$`);
  return tagsOf(acceptLanguage).find((tag) => regional.test(tag)) ?? locale;
}

/** Returns the language of the texts for a locale, which may contain a region. */
export function languageOf(locale: string): Locale {
  return locales.find((one) => one === locale) ?? locales.find((one) => locale.startsWith(`${one}-`)) ?? 'en';
}

/** Returns the text direction of a language. `locale` may contain a region. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  return languages[languageOf(locale)].direction;
}

/** Returns the language tags in the order sent, which is the order of preference in every browser. */
function tagsOf(acceptLanguage: string | null): string[] {
  const tags = (acceptLanguage ?? '').slice(0, 200).split(',');
  return tags.map((tag) => tag.split(';')[0]?.trim() ?? '');
}
