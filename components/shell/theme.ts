/** The colour scheme a person chose; `system` follows the device and is kept as no cookie at all. */
export type Theme = 'system' | 'light' | 'dark';

export const themeCookie = 'theme';

/** The choice behind the value of the theme cookie. */
export function themeOf(value: string | undefined): Theme {
  return value === 'light' || value === 'dark' ? value : 'system';
}
