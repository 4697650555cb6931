import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Alert } from '../ui/display/alert';
import type { ApiProblem } from './call-api';
import { problemKeyOf } from './problem-text';

export interface FormProblemProps {
  /** The server's response to this form. */
  problem: ApiProblem | null;
  /** A code of `?error=`, set before the page was loaded. */
  code?: string | undefined;
}

/** The reason why the form failed, shown above its fields and announced immediately. */
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

/** A component of its own, because only account pages have its texts. */
function EarlierProblem({ code }: { code: string }): ReactNode {
  const t = useTranslations('account.problems');
  const key = problemKeyOf(code);
  return (
    <Alert live="assertive" title={t(`${key}.title`)} tone="danger">
      {t(`${key}.text`)}
    </Alert>
  );
}
