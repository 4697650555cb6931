import type { Texts } from '../../lib/texts/en';
import type { Locale } from '../../lib/texts/languages';

const pseudo = () => import('../../lib/generated/texts/pseudo');

const loaders: Record<Locale, () => Promise<{ texts: Texts }>> = {
  en: () => import('../../lib/texts/en'),
  de: () => import('../../lib/texts/de'),
  es: () => import('../../lib/texts/es'),
  'en-XA': pseudo,
  'en-XB': pseudo,
};

/** Returns the texts of a language. */
export async function textsOf(locale: Locale): Promise<Texts> {
  return (await loaders[locale]()).texts;
}

declare module 'next-intl' {
  interface AppConfig {
    /** A language of `locales`, with a region if the reader has one: `en-GB`. */
    Locale: string;
    Messages: Texts;
  }
}
