'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { callApi } from '../account/call-api';
import { Button } from '../ui/button';
import { toast } from '../ui/toast';

/** Takes the card with this digest; when another one has come since, the page shows that one. */
export function AcceptCard({ slug, digest }: { slug: string; digest: string }): ReactNode {
  const router = useRouter();
  const [pending, setPending] = useState(false);

  async function accept(): Promise<void> {
    setPending(true);
    const answer = await callApi('POST', `/api/agents/${encodeURIComponent(slug)}/card/accept`, { digest });
    setPending(false);
    toast(
      answer.ok ? { tone: 'good', text: 'The new card is listed.' } : { tone: 'danger', text: answer.problem.title },
    );
    router.refresh();
  }

  return (
    <Button onClick={() => void accept()} pending={pending} tone="primary">
      Accept this card
    </Button>
  );
}
