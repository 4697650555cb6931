/** The color scheme that the user chose. `system` follows the device and stores no cookie. */
export type Theme = 'system' | 'light' | 'dark';

export const themeCookie = 'theme';

/** Returns the choice for a value of the theme cookie. */
export function themeOf(value: string | undefined): Theme {
  return value === 'light' || value === 'dark' ? value : 'system';
}
