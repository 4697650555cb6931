import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { StandingReview, StandingReviewRequest } from '@/lib/payments/schema-standing';
import { signWithPasskey } from '../../forms/ask-passkey';
import { type ApiProblem, callApi } from '../../forms/call-api';
import { paymentSettings } from '../../routes';
import { toast } from '../../ui/overlays/toast';

export interface StandingForm {
  busy: 'passkey' | 'saving' | null;
  problem: ApiProblem | null;
  /** Signs the terms with the passkey, creates the standing approval, and opens the list. */
  create: (terms: StandingReviewRequest) => Promise<void>;
}

export function useStandingForm(): StandingForm {
  const t = useTranslations('payments.standingForm');
  const tPasskey = useTranslations('payments.askPasskey');
  const router = useRouter();
  const [busy, setBusy] = useState<StandingForm['busy']>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);

  function fail(found: ApiProblem): void {
    setBusy(null);
    setProblem(found);
  }

  async function create(terms: StandingReviewRequest): Promise<void> {
    setProblem(null);
    setBusy('saving');
    const reviewed = await callApi('POST', '/api/standing-approvals/review', terms);
    if (!reviewed.ok) return fail(reviewed.problem);
    const { id, passkey } = reviewed.body as StandingReview;
    setBusy('passkey');
    const signed = await signWithPasskey(passkey);
    if (!signed.ok) return fail({ code: 'passkey', title: tPasskey(signed.reason), faults: [] });
    setBusy('saving');
    const assertion = { ...signed.made, clientExtensionResults: {} };
    const created = await callApi('POST', '/api/standing-approvals', { id, assertion });
    if (!created.ok) return fail(created.problem);
    toast({ tone: 'good', text: t('created') });
    router.push(paymentSettings('automatic'));
    router.refresh();
  }

  return { busy, problem, create };
}
