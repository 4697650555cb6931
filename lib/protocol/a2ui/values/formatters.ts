/** Formatters by language and options. Their construction costs much more than their use. */
const formatters = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat>();

/** Maximum formatters that are kept: an agent chooses currencies and decimals. */
const MAX_FORMATTERS = 200;

/** Returns the formatter of dates for a language and options. */
export function dateFormatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const known = kept(`date ${locale} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(locale, options));
  return known as Intl.DateTimeFormat;
}

/** Returns the formatter of numbers for a language and options. */
export function numberFormatter(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const known = kept(`number ${locale} ${JSON.stringify(options)}`, () => new Intl.NumberFormat(locale, options));
  return known as Intl.NumberFormat;
}

function kept<Formatter extends Intl.DateTimeFormat | Intl.NumberFormat>(key: string, create: () => Formatter) {
  const known = formatters.get(key) ?? create();
  if (formatters.size >= MAX_FORMATTERS) formatters.clear();
  formatters.set(key, known);
  return known;
}
