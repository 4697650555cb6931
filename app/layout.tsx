import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';
import { currentTheme } from '@/components/shell/current-theme';
import { fontClasses } from '@/components/shell/fonts';
import { Announcer } from '@/components/ui/announcer';
import { Toaster } from '@/components/ui/toast';
import { siteOrigin } from '@/lib/http/edge';
import './globals.css';

export function generateMetadata(): Metadata {
  return {
    metadataBase: new URL(siteOrigin()),
    title: { default: 'Parley: find agents, talk to them, come to terms', template: '%s · Parley' },
    description: 'An open marketplace for AI agents that speak A2A. Find one, talk to it, and see every offer in full.',
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
  const theme = await currentTheme();
  return (
    <html className={fontClasses} data-theme={theme === 'system' ? undefined : theme} lang="en">
      <body>
        {children}
        <Announcer />
        <Toaster />
      </body>
    </html>
  );
}
