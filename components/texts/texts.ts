import type { texts } from './en';
import type { Locale } from './locale';

export type Texts = typeof texts;

declare module 'next-intl' {
  interface AppConfig {
    Locale: Locale;
    Messages: Texts;
  }
}
