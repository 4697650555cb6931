import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { PriceReview, PriceTerms } from '@/lib/payments/schema-plans';
import { signWithPasskey } from '../../forms/ask-passkey';
import { type ApiProblem, callApi } from '../../forms/call-api';

interface Approval {
  /** The terms with the approval in force, after the last change. */
  terms: PriceTerms;
  busy: 'passkey' | 'saving' | null;
  problem: ApiProblem | null;
  isDone: boolean;
  /** Approves the price. Asks for the passkey if the total is above the user's threshold. */
  approve: (approval: object) => Promise<void>;
}

export function usePriceApproval(initial: PriceTerms): Approval {
  const tPasskey = useTranslations('payments.askPasskey');
  const [terms, setTerms] = useState(initial);
  const [busy, setBusy] = useState<Approval['busy']>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [isDone, setDone] = useState(false);

  function fail(found: ApiProblem): void {
    setBusy(null);
    setProblem(found);
  }

  async function approve(approval: object): Promise<void> {
    setProblem(null);
    setDone(false);
    setBusy('saving');
    const reviewed = await callApi('POST', '/api/price-approvals/review', approval);
    if (!reviewed.ok) return fail(reviewed.problem);
    const { passkeyRequired, passkey } = reviewed.body as PriceReview;
    const body: Record<string, unknown> = { ...approval };
    if (passkeyRequired && passkey) {
      setBusy('passkey');
      const signed = await signWithPasskey(passkey);
      if (!signed.ok) return fail({ code: 'passkey', title: tPasskey(signed.reason), faults: [] });
      body.assertion = { ...signed.made, clientExtensionResults: {} };
      setBusy('saving');
    }
    const saved = await callApi('POST', '/api/price-approvals', body);
    if (!saved.ok) return fail(saved.problem);
    setBusy(null);
    setTerms(saved.body as PriceTerms);
    setDone(true);
    window.scrollTo({ top: 0 });
  }

  return { terms, busy, problem, isDone, approve };
}
