import type { texts } from './en';
import type { Locale } from './locale';

export type Texts = typeof texts;

/** A part of the product whose texts stand in a file of their own. */
export type Area = keyof Texts;

declare module 'next-intl' {
  interface AppConfig {
    Locale: Locale;
    Messages: Texts;
  }
}
