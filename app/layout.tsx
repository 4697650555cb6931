import './globals.css';
import type { Metadata, Viewport } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { fontClasses } from '@/components/shell/fonts';
import { currentTheme } from '@/components/shell/page-shells';
import { ApiTexts, DocumentTitle, EventReplay, TimeZoneMemory } from '@/components/shell/root-effects';
import { TranslatedProblems } from '@/components/shell/translated-problems';
import { PageTexts } from '@/components/texts/page-texts';
import { Announcer } from '@/components/ui/overlays/announcer';
import { FocusManager } from '@/components/ui/overlays/focus';
import { Toaster } from '@/components/ui/overlays/toast';
import { siteOrigin } from '@/lib/pages/site';
import { directionOf } from '@/lib/texts/languages';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell.site');
  return {
    metadataBase: new URL(siteOrigin()),
    title: { default: t('title'), template: t('titleOfPage', { page: '%s' }) },
    description: t('description'),
    applicationName: 'Parley',
    manifest: '/manifest.webmanifest',
    appleWebApp: { capable: true, title: 'Parley' },
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
    // Sheets and bars at the bottom keep their distance from the home indicator themselves, with
    // env(safe-area-inset-bottom).
    viewportFit: 'cover',
    interactiveWidget: 'resizes-content',
    themeColor: theme === 'system' ? system : theme === 'light' ? light : dark,
  };
}

/** The document of every page. The server sets the theme, so that it does not change after the first paint. */
export default async function RootLayout({ children }: { children: ReactNode }): Promise<ReactNode> {
  const [theme, locale] = await Promise.all([currentTheme(), getLocale()]);
  const colors = theme === 'system' ? undefined : theme;
  return (
    <html className={fontClasses} data-theme={colors} dir={directionOf(locale)} lang={locale}>
      <head>
        {/* The URL at which programs find this site's agents (ARD §5.1). */}
        <link href="/.well-known/ard.json" rel="ard" type="application/json" />
      </head>
      <body>
        <PageTexts of="app">
          <ApiTexts />
          {!/^en(-[A-Z]{2})?$/.test(locale) && <TranslatedProblems />}
          {children}
          <Announcer />
          <Toaster />
          <FocusManager />
          <EventReplay />
          <DocumentTitle />
          <TimeZoneMemory />
        </PageTexts>
      </body>
    </html>
  );
}
