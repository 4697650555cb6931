'use client';

import { useLocale } from 'next-intl';
import { useEffect } from 'react';
import { setTranslate } from '../forms/call-api';

/**
 * Describes problems of API calls in the language of the page. Renders nothing. Mounted once, in the root layout of
 * pages that are not in English. Its texts are loaded here, because most visits need none of them.
 */
export function TranslatedProblems(): null {
  const locale = useLocale();
  useEffect(() => {
    // If the script fails to load, the sentences of the API are shown.
    import('../forms/problem-names')
      .then(({ translationTo }) => translationTo(locale))
      .then(setTranslate, () => undefined);
  }, [locale]);
  return null;
}
