'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { callApi } from '../account/call-api';
import { Checkbox } from '../ui/checkbox';
import { toast } from '../ui/toast';

/** Whether a changed card waits for the team's word; saved as it is chosen. */
export function HoldCards({ slug, holds }: { slug: string; holds: boolean }): ReactNode {
  const router = useRouter();
  const [checked, setChecked] = useState(holds);

  async function save(holdsCards: boolean): Promise<void> {
    setChecked(holdsCards);
    const answer = await callApi('PATCH', `/api/agents/${encodeURIComponent(slug)}`, { holdsCards });
    if (!answer.ok) {
      setChecked(!holdsCards);
      return toast({ tone: 'danger', text: answer.problem.title });
    }
    toast({ tone: 'good', text: holdsCards ? 'Changed cards wait for you.' : 'Changed cards go live by themselves.' });
    router.refresh();
  }

  return (
    <Checkbox
      checked={checked}
      className="mt-6"
      hint="Parley looks at the card every hour. Without this, changes go live by themselves, unless calls would go elsewhere or another key signs."
      label="Ask me before a changed card goes live"
      onChange={(event) => void save(event.target.checked)}
    />
  );
}
