'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { type ApiProblem, callApi } from '../account/call-api';
import { FormProblem } from '../account/form-problem';
import { Button } from '../ui/button';
import { Dialog, DialogClose } from '../ui/dialog';
import { toast } from '../ui/toast';

interface TransferAgentProps {
  slug: string;
  memberId: string;
  name: string;
}

/** Hands an agent to a member of its team, after a question. */
export function TransferAgent({ slug, memberId, name }: TransferAgentProps): ReactNode {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);

  async function transfer(): Promise<void> {
    setPending(true);
    setProblem(null);
    const answer = await callApi('POST', `/api/agents/${encodeURIComponent(slug)}/transfer`, { memberId });
    setPending(false);
    if (!answer.ok) return setProblem(answer.problem);
    setOpen(false);
    toast({ tone: 'good', text: `${name} owns this agent now.` });
    router.refresh();
  }

  return (
    <Dialog
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button onClick={() => void transfer()} pending={pending} tone="danger">
            Make owner
          </Button>
        </>
      }
      onOpenChange={setOpen}
      open={open}
      title={`Make ${name} the owner?`}
      trigger={<Button aria-label={`Make ${name} the owner`}>Make owner</Button>}
    >
      <div className="space-y-4">
        <FormProblem problem={problem} />
        <p>
          You stay as a developer. Your developer app is unlinked, so the agent cannot ask who calls until the new owner
          links one, and its callers are new to it. Who owns the host has to be proved anew.
        </p>
      </div>
    </Dialog>
  );
}
