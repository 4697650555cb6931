import type { ReactNode } from 'react';
import { Alert } from '../ui/alert';
import type { ApiProblem } from './call-api';
import { problemTextOf } from './problem-text';

export interface FormProblemProps {
  /** What the server said to this form. */
  problem: ApiProblem | null;
  /** A code of `?error=`, from before the page was loaded. */
  code?: string | undefined;
}

/** Why the form did not go through, above its fields and read out at once. */
export function FormProblem({ problem, code }: FormProblemProps): ReactNode {
  if (problem) {
    return (
      <Alert live="assertive" tone="danger">
        {problem.title}
      </Alert>
    );
  }
  if (!code) return null;
  const { title, text } = problemTextOf(code);
  return (
    <Alert live="assertive" title={title} tone="danger">
      {text}
    </Alert>
  );
}
