import { useLocale } from 'next-intl';
import type { ReactNode } from 'react';
import { formatOf } from '../../ui/display/format';

/** A time in UTC, the zone of the whole status page: its days are UTC days. */
export function UtcTime({ at }: { at: string }): ReactNode {
  return <time dateTime={at}>{formatOf(useLocale(), 'UTC').date(at, 'moment')}</time>;
}
