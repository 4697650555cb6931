import { cookies } from 'next/headers';
import { type Theme, themeCookie, themeOf } from './theme';

/** The theme that the page being rendered was asked for with. */
export async function currentTheme(): Promise<Theme> {
  return themeOf((await cookies()).get(themeCookie)?.value);
}
