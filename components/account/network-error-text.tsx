'use client';

import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { setUnreachableTitle } from './call-api';

/**
 * Sets the text that API calls show when the server is unreachable. Renders nothing; mounted once, in the root layout.
 */
export function NetworkErrorText(): null {
  const t = useTranslations('shell.unreachable');
  useEffect(() => setUnreachableTitle(t('text')), [t]);
  return null;
}
