import { useTranslations } from 'next-intl';
import { useCallback } from 'react';
import { ApiError } from './api';

/**
 * Returns a function that returns the reason for a failed request as a sentence, or the fallback for an error of this
 * page.
 */
export function useProblem(): (error: unknown, fallback?: string) => string {
  const t = useTranslations('chat.useProblem');
  return useCallback(
    (error, fallback) => {
      if (!(error instanceof ApiError)) return fallback ?? t('here');
      return error.title ?? t(error.reason, { status: error.status });
    },
    [t],
  );
}
