'use server';

import { cookies } from 'next/headers';
import { themeCookie, themeOf } from './theme';

/** Stores the theme form's choice for a year. Used only by browsers without JavaScript. */
export async function setTheme(form: FormData): Promise<void> {
  const theme = themeOf(String(form.get(themeCookie)));
  const jar = await cookies();
  if (theme === 'system') jar.delete(themeCookie);
  else jar.set(themeCookie, theme, { maxAge: 31_536_000, path: '/', sameSite: 'lax' });
}
