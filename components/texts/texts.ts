import type { texts } from './en';

export type Texts = typeof texts;

declare module 'next-intl' {
  interface AppConfig {
    /** A language of `locales`, with a region if the reader has one: `en-GB`. */
    Locale: string;
    Messages: Texts;
  }
}
