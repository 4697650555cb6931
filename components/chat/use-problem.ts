import { useTranslations } from 'next-intl';
import { useCallback } from 'react';
import { ApiError } from './api';

/** Answers what tells a person in a sentence why a request did not do what was asked; `otherwise` for an error of this page. */
export function useProblem(): (error: unknown, otherwise?: string) => string {
  const t = useTranslations('chat.useProblem');
  return useCallback(
    (error, otherwise) => {
      if (!(error instanceof ApiError)) return otherwise ?? t('here');
      return error.title ?? t(error.reason, { status: error.status });
    },
    [t],
  );
}
