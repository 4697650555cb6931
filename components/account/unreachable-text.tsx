'use client';

import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { tellUnreachable } from './call-api';

/** Tells calls of our API what to say when nothing answers. Draws nothing; mounted once, in the root layout. */
export function UnreachableText(): null {
  const t = useTranslations('shell.unreachable');
  useEffect(() => tellUnreachable(t('text')), [t]);
  return null;
}
