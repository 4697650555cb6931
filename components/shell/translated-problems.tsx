'use client';

import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { setTranslate } from '../forms/call-api';

/**
 * Describes frequent problems of API calls in the language of the page. Renders nothing. Mounted once, in the root
 * layout of pages that are not in English.
 */
export function TranslatedProblems(): null {
  const t = useTranslations('shell.problems');
  useEffect(() => {
    // If the script fails to load, the sentences of the API are shown.
    import('../forms/problem-names')
      .then(({ translateWith }) => setTranslate(translateWith((name, wait) => t(name, { ...wait }))))
      .catch(() => undefined);
  }, [t]);
  return null;
}
