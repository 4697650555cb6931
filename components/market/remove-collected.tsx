'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useTransition } from 'react';
import { callApi } from '../account/call-api';
import { Button } from '../ui/button';
import { toast } from '../ui/toast';

/** Takes an agent out of one's own collection. */
export function RemoveCollected({ id, slug, name }: { id: string; slug: string; name: string }): ReactNode {
  const router = useRouter();
  const [pending, startTransition] = useTransition();

  function remove(): void {
    startTransition(async () => {
      const answer = await callApi('DELETE', `/api/collections/${id}/agents/${encodeURIComponent(slug)}`);
      if (!answer.ok) return toast({ tone: 'danger', text: answer.problem.title });
      toast({ tone: 'good', text: `${name} is taken out.` });
      router.refresh();
    });
  }

  return (
    <Button className="mt-1 self-end" onClick={remove} pending={pending} size="sm" tone="quiet">
      Take out<span className="sr-only"> {name}</span>
    </Button>
  );
}
