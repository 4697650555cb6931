'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { type ApiProblem, callApi } from '../forms/call-api';
import { FormProblem } from '../forms/form-problem';
import { Button } from '../ui/controls/button';
import { Dialog, DialogClose } from '../ui/overlays/dialog';
import { toast } from '../ui/overlays/toast';

interface TransferAgentProps {
  slug: string;
  memberId: string;
  name: string;
}

/** Transfers an agent to a member of its team, after confirmation. */
export function TransferAgent({ slug, memberId, name }: TransferAgentProps): ReactNode {
  const t = useTranslations('console.transferAgent');
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);

  async function transfer(): Promise<void> {
    setPending(true);
    setProblem(null);
    const response = await callApi('POST', `/api/agents/${encodeURIComponent(slug)}/transfer`, { memberId });
    setPending(false);
    if (!response.ok) return setProblem(response.problem);
    setOpen(false);
    toast({ tone: 'good', text: t('done', { name }) });
    router.refresh();
  }

  return (
    <Dialog
      footer={
        <>
          <DialogClose asChild>
            <Button>{t('cancel')}</Button>
          </DialogClose>
          <Button onClick={() => void transfer()} pending={pending} tone="danger">
            {t('transfer')}
          </Button>
        </>
      }
      onOpenChange={setOpen}
      open={open}
      title={t('title', { name })}
      trigger={<Button aria-label={t('transferTo', { name })}>{t('transfer')}</Button>}
    >
      <div className="space-y-4">
        <FormProblem problem={problem} />
        <p>{t('text')}</p>
      </div>
    </Dialog>
  );
}
