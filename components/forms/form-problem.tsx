import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { ProviderProblem } from '@/lib/identity/schema';
import type { Texts } from '../../lib/texts/en';
import { Alert } from '../ui/display/alert';
import type { ApiProblem } from './call-api';

interface FormProblemProps {
  /** The server's response to this form. */
  problem: ApiProblem | null;
  /** A code of `?error=`, set before the page was loaded. */
  code?: string | undefined;
}

/** The reason why the form failed, displayed above its fields and announced immediately. */
export function FormProblem({ problem, code }: FormProblemProps): ReactNode {
  if (problem) {
    return (
      <Alert live="assertive" tone="danger">
        {problem.title}
      </Alert>
    );
  }
  return code ? <EarlierProblem code={code} /> : null;
}

/** A separate component, because only account pages have its texts. */
function EarlierProblem({ code }: { code: string }): ReactNode {
  const t = useTranslations('account.problems');
  const key = problemKeyOf(code);
  return (
    <Alert live="assertive" title={t(`${key}.title`)} tone="danger">
      {t(`${key}.text`)}
    </Alert>
  );
}

type ProblemKey = keyof Texts['account']['problems'];

const fromProviders: Record<ProviderProblem, ProblemKey> = {
  account_exists: 'accountExists',
  email_missing: 'emailMissing',
  email_unverified: 'emailUnverified',
  suspended: 'suspended',
  provider_unreachable: 'providerUnreachable',
  provider_failed: 'providerFailed',
};

/** Codes of the API's errors. Only forms submitted without JavaScript return with these. */
const fromForms: Record<string, ProblemKey> = {
  unauthenticated: 'noMatch',
  forbidden: 'suspended',
  rate_limited: 'tooMany',
  invalid_request: 'faulty',
  not_found: 'linkOver',
  conflict: 'conflict',
};

/**
 * Returns the key of `account.problems` for `?error=` of an account page. Unknown codes have a general text and are
 * never echoed.
 */
export function problemKeyOf(code: string): ProblemKey {
  if (Object.hasOwn(fromProviders, code)) return fromProviders[code as ProviderProblem];
  return (Object.hasOwn(fromForms, code) ? fromForms[code] : undefined) ?? 'other';
}
