'use client';

import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useState } from 'react';
import { MoonIcon, SunIcon, SystemIcon } from '../../ui/display/icons';
import { announce } from '../../ui/overlays/announcer';
import { setTheme } from './set-theme';
import { type Theme, themeCookie, themeOf } from './theme';

const choices = [
  { theme: 'system', icon: SystemIcon },
  { theme: 'light', icon: SunIcon },
  { theme: 'dark', icon: MoonIcon },
] as const;

/** Three form buttons. With JavaScript, the page switches immediately; otherwise the form is submitted. */
export function ThemeSwitcher({ theme: initial }: { theme: Theme }): ReactNode {
  const t = useTranslations('shell.themeSwitcher');
  const [theme, setChosen] = useState(initial);

  function choose(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const chosen = themeOf(submitter?.getAttribute('value') ?? undefined);
    chooseTheme(chosen);
    setChosen(chosen);
    announce(t('chosen', { theme: chosen }));
  }

  return (
    <form
      action={setTheme}
      className="inline-flex gap-0.5 rounded-lg border border-line bg-surface p-0.5"
      onSubmit={choose}
    >
      {choices.map(({ theme: value, icon: Icon }) => (
        <button
          aria-label={t(value)}
          aria-pressed={theme === value}
          className={clsx(
            'inline-flex size-8 items-center justify-center rounded-md border border-transparent touch:size-11',
            theme === value
              ? 'border-line-strong bg-sunken text-ink forced-colors:bg-[Highlight] forced-colors:text-[HighlightText]'
              : 'text-muted hover:text-ink',
          )}
          key={value}
          name={themeCookie}
          title={t(value)}
          type="submit"
          value={value}
        >
          <Icon size={16} />
        </button>
      ))}
    </form>
  );
}

/** Switches the page immediately and stores the choice for the next first paint. */
export function chooseTheme(theme: Theme): void {
  const { documentElement } = document;
  if (theme === 'system') delete documentElement.dataset.theme;
  else documentElement.dataset.theme = theme;
  const age = theme === 'system' ? 0 : 31_536_000;
  const secure = window.location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `${themeCookie}=${theme}; path=/; max-age=${age}; samesite=lax${secure}`;
}
