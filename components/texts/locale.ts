import type { Texts } from './en';
import type { Locale } from './languages';

const pseudo = () => import('../../lib/generated/texts/pseudo');

const loaders: Record<Locale, () => Promise<{ texts: Texts }>> = {
  en: () => import('./en'),
  de: () => import('./de'),
  es: () => import('./es'),
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
