import type { ReactNode } from 'react';
import { Reauthenticate } from '../../forms/reauthenticate';
import { spendingPath } from '../../routes';
import { Alert } from '../../ui/display/alert';
import type { Raise } from './use-raise';

/** The reason why a change was not saved, or a link to a fresh sign-in. */
export function RaiseProblem({ problem }: Pick<Raise, 'problem'>): ReactNode {
  if (problem === null) return null;
  if (problem === 'sign-in-again') return <Reauthenticate returnTo={spendingPath} what="changeLimit" />;
  return (
    <Alert live="assertive" tone="danger">
      {problem}
    </Alert>
  );
}
