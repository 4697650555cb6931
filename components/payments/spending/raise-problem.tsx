import type { ReactNode } from 'react';
import { routes } from '../../shell/routes';
import { Alert } from '../../ui/alert';
import { Reauthenticate } from '../reauthenticate';
import type { Raise } from './use-raise';

/** Why a change was not saved, or the way to a fresh sign-in. */
export function RaiseProblem({ problem }: Pick<Raise, 'problem'>): ReactNode {
  if (problem === null) return null;
  if (problem === 'sign-in-again') return <Reauthenticate returnTo={routes.spending} what="changeLimit" />;
  return (
    <Alert live="assertive" tone="danger">
      {problem}
    </Alert>
  );
}
