import { cookies } from 'next/headers';
import { type Theme, themeCookie, themeOf } from './theme';

/** The theme that the request for this page asked for. */
export async function currentTheme(): Promise<Theme> {
  return themeOf((await cookies()).get(themeCookie)?.value);
}
