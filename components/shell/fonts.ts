import localFont from 'next/font/local';

/**
 * The letters of most pages, a subset of Geist made with `pyftsubset`, with a third of its size, because only this font
 * blocks the first paint. With `optional`, text never shifts; a slow first visit uses the system font.
 */
const sans = localFont({
  src: './fonts/geist-latin.woff2',
  variable: '--font-geist-sans',
  weight: '100 900',
  display: 'optional',
  adjustFontFallback: false,
  declarations: [
    { prop: 'unicode-range', value: 'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02DC, U+2000-22FF, U+FFFD' },
  ],
});

/** Full Geist, loaded by pages with letters outside of the subset. */
const wide = localFont({
  src: '../../node_modules/geist/dist/fonts/geist-sans/Geist-Variable.woff2',
  variable: '--font-geist-wide',
  weight: '100 900',
  display: 'optional',
  preload: false,
});

/** Not preloaded, because it is used only for code and identifiers, and has the width of other monospaced fonts. */
const mono = localFont({
  src: './fonts/geist-mono-latin.woff2',
  variable: '--font-geist-mono',
  weight: '100 900',
  preload: false,
  adjustFontFallback: false,
  fallback: ['ui-monospace', 'SFMono-Regular', 'Menlo', 'Consolas', 'monospace'],
});

/** Class names that define `--font-geist-sans`, `--font-geist-wide` and `--font-geist-mono`. */
export const fontClasses = `${sans.variable} ${wide.variable} ${mono.variable}`;
