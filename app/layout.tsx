import type { Metadata, Viewport } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { UnreachableText } from '@/components/account/unreachable-text';
import { currentTheme } from '@/components/shell/current-theme';
import { fontClasses } from '@/components/shell/fonts';
import { TabName } from '@/components/shell/tab-name';
import { directionOf } from '@/components/texts/locale';
import { PageTexts } from '@/components/texts/page-texts';
import { Announcer } from '@/components/ui/announcer';
import { EarlyPresses } from '@/components/ui/early-presses';
import { FocusKeeper } from '@/components/ui/focus-keeper';
import { Toaster } from '@/components/ui/toast';
import { siteOrigin } from '@/lib/http/guard/middleware-helpers';
import './globals.css';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell.site');
  return {
    metadataBase: new URL(siteOrigin()),
    title: { default: t('title'), template: t('titleOfPage', { page: '%s' }) },
    description: t('description'),
    applicationName: 'Parley',
    formatDetection: { telephone: false, email: false, address: false },
  };
}

export async function generateViewport(): Promise<Viewport> {
  const theme = await currentTheme();
  const light = '#faf9f6';
  const dark = '#08141c';
  const system = [
    { media: '(prefers-color-scheme: light)', color: light },
    { media: '(prefers-color-scheme: dark)', color: dark },
  ];
  return {
    width: 'device-width',
    initialScale: 1,
    interactiveWidget: 'resizes-content',
    themeColor: theme === 'system' ? system : theme === 'light' ? light : dark,
  };
}

/** Every page's document. The theme is decided here, on the server, so that the first paint is the last. */
export default async function RootLayout({ children }: { children: ReactNode }): Promise<ReactNode> {
  const [theme, locale] = await Promise.all([currentTheme(), getLocale()]);
  const colours = theme === 'system' ? undefined : theme;
  return (
    <html className={fontClasses} data-theme={colours} dir={directionOf(locale)} lang={locale}>
      <body>
        <PageTexts of="app">
          <UnreachableText />
          {children}
          <Announcer />
          <Toaster />
          <FocusKeeper />
          <EarlyPresses />
          <TabName />
        </PageTexts>
      </body>
    </html>
  );
}
