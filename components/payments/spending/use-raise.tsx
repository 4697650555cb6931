import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { LimitReview } from '@/lib/payments/schema-spending';
import { signWithPasskey } from '../../forms/ask-passkey';
import { type ApiProblem, callApi } from '../../forms/call-api';
import { Reauthenticate } from '../../forms/reauthenticate';
import { paymentSettings } from '../../routes';
import { Alert } from '../../ui/display/alert';

/** The reason why a change was not saved, or a link to sign in again. */
export function RaiseProblem({ problem }: Pick<Raise, 'problem'>): ReactNode {
  if (problem === null) return null;
  if (problem === 'sign-in-again') return <Reauthenticate returnTo={paymentSettings('limits')} what="changeLimit" />;
  return (
    <Alert live="assertive" tone="danger">
      {problem}
    </Alert>
  );
}

interface Raise {
  busy: 'passkey' | 'saving' | null;
  /** A sentence, or the requirement to sign in again. */
  problem: string | 'sign-in-again' | null;
  /** Saves the change. Asks for the passkey if the change permits higher spending. */
  save: (change: object) => Promise<void>;
}

/**
 * Sends a change by PUT. The response of `path` followed by `/review` states whether it requires a passkey. `onDone` is
 * called when it is saved.
 */
export function useRaise(path: string, onDone: () => void): Raise {
  const t = useTranslations('payments.askPasskey');
  const [busy, setBusy] = useState<Raise['busy']>(null);
  const [problem, setProblem] = useState<Raise['problem']>(null);

  function fail(found: ApiProblem | string): void {
    setBusy(null);
    if (typeof found === 'string') setProblem(found);
    else setProblem(found.code === 'sign_in_again' ? 'sign-in-again' : found.title);
  }

  async function save(change: object): Promise<void> {
    setProblem(null);
    setBusy('saving');
    const reviewed = await callApi('POST', `${path}/review`, change);
    if (!reviewed.ok) return fail(reviewed.problem);
    const { passkey, signInAgain } = reviewed.body as LimitReview;
    if (signInAgain) return fail('sign-in-again');
    const body: Record<string, unknown> = { ...change };
    if (passkey) {
      setBusy('passkey');
      const signed = await signWithPasskey(passkey);
      if (!signed.ok) return fail(t(signed.reason));
      body.assertion = { ...signed.made, clientExtensionResults: {} };
      setBusy('saving');
    }
    const saved = await callApi('PUT', path, body);
    if (!saved.ok) return fail(saved.problem);
    setBusy(null);
    onDone();
  }

  return { busy, problem, save };
}
