import localFont from 'next/font/local';

/** `optional`: text is set once and never moves. On a slow first visit that is the system's font; the next one has ours. */
const sans = localFont({
  src: '../../node_modules/geist/dist/fonts/geist-sans/Geist-Variable.woff2',
  variable: '--font-geist-sans',
  weight: '100 900',
  display: 'optional',
});

/** Not preloaded: only code and identifiers are set in it, as wide as in any other monospaced font. */
const mono = localFont({
  src: '../../node_modules/geist/dist/fonts/geist-mono/GeistMono-Variable.woff2',
  variable: '--font-geist-mono',
  weight: '100 900',
  preload: false,
  adjustFontFallback: false,
  fallback: ['ui-monospace', 'SFMono-Regular', 'Menlo', 'Consolas', 'monospace'],
});

/** Class names that define `--font-geist-sans` and `--font-geist-mono`. */
export const fontClasses = `${sans.variable} ${mono.variable}`;
